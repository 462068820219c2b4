// `ztunnels`: the ztunnels themselves, whether they answer, and how their certificates are.

import { defineCommand } from '../command.ts';
import type { CommonOptions } from '../flags/common.ts';
import { defineFlags, type OptionsOf } from '../flags/flags.ts';
import { deep } from '../flags/narrowing.ts';
import { warnWithin } from '../flags/warnwithin.ts';

const flags = defineFlags({
  'warn-within': warnWithin,
  deep: { ...deep, summary: "Its own word for its version, not its image's tag" },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const ztunnels = defineCommand({
  name: 'ztunnels',
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
