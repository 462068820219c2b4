// The flag that says when a certificate counts as EXPIRING.

import { defineFlags } from './flags.ts';

/** Product default: less than 10 % of the lifetime left. */
export const { 'warn-within': warnWithin } = defineFlags({
  'warn-within': {
    kind: 'within',
    value: 'DURATION|%',
    default: '10%',
    summary: 'EXPIRING below this much life left',
    group: 'command',
  },
});
