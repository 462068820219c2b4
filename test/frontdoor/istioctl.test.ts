// Every file that istioctl printed for the captures, byte for byte, by the command and flags that istioctl was given.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const dump = (name: string) => path.join(testdata, 'dumps', `${name}.config_dump.json`);
const captures = readdirSync(path.join(testdata, 'istioctl'));
const captured = '2026-11-29T22:03:42Z';

/** File name without `.short` → the command line that printed it. */
const COMMANDS: Readonly<Record<string, string>> = {
  'all-with-headers': 'all --with-headers',
  all: 'all',
  certs: 'certs',
  'connections-inbound': 'connections --direction inbound',
  'connections-raw': 'connections --raw',
  connections: 'connections',
  policies: 'policies',
  services: 'services',
  'workloads-address': 'workloads --address fd00:1::11',
  'workloads-shop-node-b': 'workloads --workload-namespace shop --workload-node node-b',
  workloads: 'workloads',
};

const files = captures.flatMap((capture) =>
  readdirSync(path.join(testdata, 'istioctl', capture)).map((file) => [capture, file] as const),
);

test('all that istioctl printed is compared', () => {
  const known = new Set(Object.keys(COMMANDS).map((name) => `${name}.short`));
  expect(files.filter(([, file]) => !known.has(file))).toEqual([]);
  expect(files.length).toBeGreaterThan(35);
});

describe('-o short', () => {
  test.each(files)('%s/%s', async (capture, file) => {
    const command = COMMANDS[file.replace('.short', '')]!;
    const argv = [...command.split(' '), '-o', 'short', '--now', captured, '-f', dump(capture)];
    const { code, stdout } = await run(argv);
    expect(stdout).toBe(readFileSync(path.join(testdata, 'istioctl', capture, file), 'utf8'));
    expect(code).toBe(0);
  });
});
