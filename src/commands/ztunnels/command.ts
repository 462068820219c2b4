// `ztunnels`: the ztunnels themselves, whether they answer, and how their certificates are.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { deep, warnWithin } from '../spec/sharedflags.ts';

const flags = defineFlags({
  'warn-within': warnWithin,
  deep: { ...deep, summary: "Ask each ztunnel for its version instead of reading its image's tag" },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const ztunnels = defineCommand({
  name: 'ztunnels',
  load: () => import('./run.ts'),
  aliases: ['ztunnel', 'zt'],
  summary: 'The ztunnels themselves: version, readiness, whether they answer',
  examples: [
    { args: 'ztunnels', does: 'every ztunnel, by node' },
    { args: 'ztunnels --node node-a', does: 'one node' },
    { args: 'ztunnels --sort-by restarts', does: 'the steadiest first' },
    { args: 'ztunnels -o json', does: 'a stable document' },
  ],
  flags,
  views: ['table', 'name', 'document'],
});
