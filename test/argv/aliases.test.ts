// That whoever types istioctl's names of commands and flags is understood.

import { describe, expect, test } from '@jest/globals';
import { parseArgv } from '../../src/cli/argv/argv.ts';
import { commands } from '../../src/commands/index.ts';

describe('names of commands', () => {
  test.each([
    ['certs', 'certs certificates certificate cert'],
    ['workloads', 'workloads workload wl w'],
    ['services', 'services service svc s'],
    ['policies', 'policies policy pol p'],
    ['connections', 'connections connection cons'],
    ['all', 'all'],
    ['log', 'log o'],
    ['ztunnels', 'ztunnels ztunnel zt'],
  ])('of %s: %s', (name, words) => {
    for (const word of words.split(' ')) {
      const parsed = parseArgv([word], commands);
      expect(parsed.type === 'run' ? parsed.command.name : parsed).toBe(name);
    }
  });

  test('none stands for two', () => {
    const names = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names.length).toBe(new Set(names).size);
  });
});

describe('flags', () => {
  test.each([
    ['w --address 10.1.0.10', { address: '10.1.0.10' }],
    ['w --workload-namespace shop', { workloadNamespace: 'shop' }],
    ['w --workload-node node-a', { workloadNode: 'node-a' }],
    ['s --service-namespace shop', { serviceNamespace: 'shop' }],
    ['p --policy-namespace shop', { policyNamespace: 'shop' }],
    ['cons --direction inbound', { direction: 'inbound' }],
    ['cons --direction=Outbound', { direction: 'outbound' }],
    ['cons --raw', { raw: true }],
    ['cons --workload-namespace shop', { workloadNamespace: 'shop' }],
    ['all --with-headers', { withHeaders: true }],
    ['o --level debug', { level: 'debug' }],
    ['o -r', { reset: true }],
    ['o --reset', { reset: true }],
    ['s --node node-a', { node: ['node-a'] }],
    ['s -f dump.json -oshort', { file: ['dump.json'], output: 'short' }],
    ['s -f -', { file: ['-'] }],
    ['s --proxy-admin-port 15001', { proxyAdminPort: 15001 }],
  ])('%s', (line, options) => {
    expect(parseArgv(line.split(' '), commands)).toMatchObject({ type: 'run', options });
  });
});
