// The flags that narrow or widen what is asked, for commands whose rows have pods behind them.

import { defineFlags } from './flags.ts';

/** Give it to commands whose `run` passes its options to ask/narrow.ts and filters its rows by what that keeps. */
export const { selector } = defineFlags({
  selector: {
    kind: 'string',
    short: 'l',
    value: 'SELECTOR',
    summary: 'Only of pods with these labels',
    group: 'command',
  },
});

/** Give it to commands that show what every ztunnel knows: their `run` reads by ask/whole.ts. */
export const { deep } = defineFlags({
  deep: { kind: 'boolean', summary: 'Compare the whole dumps of all ztunnels', group: 'command' },
});
