// `services`: services as ztunnel sees them, with the health of what is behind them.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkNamespaces, deep, TARGET } from '../spec/sharedflags.ts';

const flags = defineFlags({
  deep,
  'service-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only services of this namespace',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const services = defineCommand({
  name: 'services',
  load: () => import('./run.ts'),
  aliases: ['service', 'svc', 's'],
  summary: 'Services as ztunnel sees them, with waypoint and endpoints',
  examples: [
    { args: 'services', does: 'every service of the mesh' },
    { args: 'services -n shop -o wide', does: 'one namespace, with ports and subjectAltNames' },
    { args: 'services node/node-a', does: 'as the ztunnel of one node knows them' },
    { args: 'services --deep', does: 'what ztunnels disagree about' },
    { args: 'services -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'short', 'name', 'document'],
  check: (options) => checkNamespaces(options.namespace, 'service-namespace', options.serviceNamespace),
});
