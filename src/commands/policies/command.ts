// `policies`: authorization policies as ztunnel sees them.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkNamespaces, deep, TARGET } from '../spec/sharedflags.ts';

const flags = defineFlags({
  deep,
  'policy-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only policies of this namespace',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const policies = defineCommand({
  name: 'policies',
  load: () => import('./run.ts'),
  aliases: ['policy', 'pol', 'p'],
  summary: 'Authorization policies as ztunnel sees them',
  examples: [
    { args: 'policies', does: 'every policy that ztunnel enforces' },
    { args: 'policies -n shop -o wide', does: 'one namespace, with the rules' },
    { args: 'policies node/node-a', does: 'as the ztunnel of one node knows them' },
    { args: 'policies --deep', does: 'what ztunnels disagree about' },
    { args: 'policies -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'short', 'name', 'document'],
  check: (options) => checkNamespaces(options.namespace, 'policy-namespace', options.policyNamespace),
});
