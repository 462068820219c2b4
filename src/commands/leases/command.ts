// `leases`: who holds which Lease, whose pod that is, and whether it is still renewed.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { warnWithin } from '../spec/sharedflags.ts';

const flags = defineFlags({
  nodes: { kind: 'boolean', summary: 'Show the Leases of nodes as well', group: 'command' },
  'warn-within': warnWithin,
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

export const leases = defineCommand({
  name: 'leases',
  load: () => import('./run.ts'),
  aliases: ['lease'],
  summary: 'Leases with holder pod, owner and freshness',
  examples: [
    { args: 'leases', does: 'current Lease holders' },
    { args: 'leases --nodes', does: 'which nodes are alive, too' },
    { args: 'leases -n shop -o wide', does: "with the holder's certificate" },
  ],
  flags,
  views: ['table', 'document'],
});
