// The flags that several commands share, and what is wrong with their values.

import { UsageError } from '../../base/errors.ts';
import { parseCondition } from '../../model/certificates/condition.ts';
import type { Arguments } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';

/** Give it to a command as its `arguments`, and let its `run` begin with ask/narrow.ts. */
export const TARGET: Arguments = { usage: '[TARGET]', least: 0, most: 1, completes: 'target' };

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

/** Throws UsageError when a command's own filter (`workload-namespace`) and -n name different namespaces. */
export function checkNamespaces(
  namespace: string | undefined,
  flag: string,
  value: string | undefined,
): void {
  if (namespace === undefined || value === undefined || namespace === value) return;
  throw new UsageError(
    `--namespace ${namespace} and --${flag} ${value} exclude each other`,
    'Leave one of them out.',
  );
}

/** A test of namespaces, without case as istioctl compares; passes all if there is no filter. */
export function namespaceFilter(...filters: readonly (string | undefined)[]): (namespace: string) => boolean {
  const wanted = filters.find((filter) => filter !== undefined)?.toLowerCase();
  return (namespace) => wanted === undefined || namespace.toLowerCase() === wanted;
}

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

/** Give it to commands whose `run` asks by ask/contexts.ts, and let their `check` begin with `checkContexts`. */
export const contextsFlags = defineFlags({
  contexts: {
    kind: 'strings',
    separated: true,
    value: 'NAME[,NAME]',
    summary: 'One answer over the clusters of these contexts',
    group: 'command',
  },
});
/** `contexts` is empty for the one cluster that the connection flags mean. */
export type ContextsOptions = OptionsOf<typeof contextsFlags> & CommonOptions;

/** Throws UsageError for a context without a name, and for one that is named twice. */
export function checkContexts({ contexts }: ContextsOptions): void {
  if (contexts.includes('')) {
    throw new UsageError(
      '--contexts holds an empty name',
      'Separate the names by single commas: --contexts east,west.',
    );
  }
  const twice = contexts.find((name, at) => contexts.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new UsageError(`--contexts names "${twice}" twice`, 'Each cluster is asked once: name each once.');
  }
}

const INTERVAL = '10s';

/** Give it to commands whose `run` goes on by watch.ts, and let their `check` begin with `checkWatch`. */
export const watchFlags = defineFlags({
  watch: { kind: 'boolean', short: 'w', summary: 'Keep watching, and show changes', group: 'command' },
  interval: {
    kind: 'duration',
    value: 'DURATION',
    summary: `With -w: refresh interval (${INTERVAL})`,
    group: 'command',
  },
  until: {
    kind: 'string',
    value: 'CONDITION',
    summary: 'With -w: stop when met (as in wait --for)',
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
