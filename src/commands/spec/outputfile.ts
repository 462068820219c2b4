// The flag that sends a report to a file instead of stdout.

import { defineFlags, type OptionsOf } from './flags.ts';

export const outputFileFlags = defineFlags({
  'output-file': {
    kind: 'string',
    value: 'FILE',
    summary: 'Write there, not to stdout: all of it or nothing',
    group: 'output',
  },
});

/** The options of whatever command; undefined where it was not given, or the command has no such flag. */
export type OutputFileOptions = Partial<OptionsOf<typeof outputFileFlags>>;
