// The flags of commands that look again and again, and what they exclude.

import { UsageError } from '../../base/errors.ts';
import { parseCondition } from '../../model/certificates/condition.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';

const INTERVAL = '10s';

/** Give it to commands whose `run` goes on by watch.ts, and let their `check` begin with `checkWatch`. */
export const watchFlags = defineFlags({
  watch: { kind: 'boolean', short: 'w', summary: 'Go on, and show what changes', group: 'command' },
  interval: {
    kind: 'duration',
    value: 'DURATION',
    summary: `With -w: from one look to the next (${INTERVAL})`,
    group: 'command',
  },
  until: {
    kind: 'string',
    value: 'CONDITION',
    summary: 'With -w: stop once all are so, as in wait --for',
    group: 'command',
  },
});
export type WatchOptions = OptionsOf<typeof watchFlags> & CommonOptions;

export const DEFAULT_INTERVAL_MS = 10_000;

/** What a line, or a screen that is drawn anew, can show. */
const WATCHED_FORMATS = new Set(['table', 'wide', 'json']);

/** Throws UsageError for combinations that make no sense. */
export function checkWatch(options: WatchOptions & { readonly outputFile?: string | undefined }): void {
  if (options.until !== undefined) parseCondition(options.until, 'until');
  if (!options.watch) {
    const lonely = (['interval', 'until'] as const).find((name) => options[name] !== undefined);
    if (lonely === undefined) return;
    throw new UsageError(`--${lonely} needs --watch`, `Add -w, or leave --${lonely} out.`);
  }
  const excluded = {
    '--file': options.file.length > 0,
    '--now': options.now !== undefined,
    '--output-file': options.outputFile !== undefined,
    [`--output ${options.output}`]: !WATCHED_FORMATS.has(options.output ?? 'table'),
  };
  const [other] = Object.entries(excluded).find(([, given]) => given) ?? [];
  if (other === undefined) return;
  throw new UsageError(
    `--watch and ${other} exclude each other`,
    other.startsWith('--output ')
      ? 'Use -o table, wide or json to watch.'
      : 'What is watched is a live mesh, judged as time goes on.',
  );
}
