// `sans`: the names that clients accept, against the identities that servers present.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { selector, TARGET } from '../spec/sharedflags.ts';

const flags = defineFlags({ selector });

export const sans = defineCommand({
  name: 'sans',
  load: () => import('./run.ts'),
  aliases: ['san'],
  summary: 'Names that clients accept, against those that servers present',
  examples: [
    { args: 'sans', does: 'every expected name, worst first' },
    { args: 'sans deployment/web', does: 'of the services that one Deployment is behind' },
    { args: 'sans -n shop -o wide', does: 'of one namespace, with hosts and owners' },
    { args: 'sans -f dump.json --resources rules.yaml', does: 'of saved dumps and Istio resources' },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'document'],
});
export type Options = OptionsOf<typeof flags> & CommonOptions;
