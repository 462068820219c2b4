// `connections`: the open connections of captured pods, with node and owner.

import { DIRECTIONS } from '../../model/dump.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkNamespaces, selector, TARGET } from '../spec/sharedflags.ts';

const flags = defineFlags({
  selector,
  direction: {
    kind: 'string',
    value: 'DIRECTION',
    choices: DIRECTIONS,
    summary: `Only ${DIRECTIONS.join(' or ')} connections`,
    group: 'command',
  },
  raw: { kind: 'boolean', summary: 'IP addresses, not names', group: 'command' },
  'workload-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only workloads of this namespace',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const connections = defineCommand({
  name: 'connections',
  load: () => import('./run.ts'),
  aliases: ['connection', 'cons'],
  summary: 'Open connections of captured pods, with node and owner',
  examples: [
    { args: 'connections', does: 'every open connection of the mesh' },
    { args: 'connections -n shop --direction inbound', does: 'who talks to one namespace' },
    { args: 'connections deployment/web', does: 'of the pods of one Deployment' },
    { args: 'connections --raw', does: 'IP addresses instead of names' },
    { args: 'connections -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'short', 'document'],
  check: (options) => checkNamespaces(options.namespace, 'workload-namespace', options.workloadNamespace),
});
