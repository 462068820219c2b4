// `diff`: what has changed between two snapshots, two dumps, or a snapshot and the live mesh.

import { UsageError } from '../../base/errors.ts';
import type { Report } from '../../printers/printer.ts';
import { defineCommand } from '../spec/command.ts';
import { type CommonOptions, takesAllBut } from '../spec/common.ts';
import { findConnectionFlag } from '../spec/connectionflags.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkContexts, contextsFlags } from '../spec/sharedflags.ts';
import { checkFileNames } from './side.ts';

const flags = defineFlags({ ...contextsFlags });

export type Options = OptionsOf<typeof flags> & CommonOptions;

const STDIN = '-';

/** What is compared stands in its arguments. */
const NOT_TAKEN = ['file', 'resources', 'no-owners'] as const;

export const diff = defineCommand({
  name: 'diff',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'What has changed between two snapshots or dumps, or until now',
  examples: [
    { args: 'diff before.tar.gz', does: 'since a snapshot was taken' },
    { args: 'diff before.tar.gz after.tar.gz', does: 'between two of them' },
    { args: 'diff monday.json tuesday.json -o wide', does: 'between two dumps of a ztunnel' },
    { args: 'diff before.tar.gz -n shop -o json', does: 'one namespace, as a stable document' },
    { args: 'diff monday --contexts east,west', does: 'each cluster since its own snapshot' },
  ],
  arguments: { usage: 'A [B]', least: 1, most: 2, completes: 'files' },
  flags,
  takes: takesAllBut(NOT_TAKEN),
  views: ['table', 'document'],
  check: checkOptions,
  exitCode,
  usageExitCode: 2,
  errorExitCode: 2,
});

function checkOptions(options: Options): void {
  const [first, second] = options.words;
  checkContexts(options);
  checkFileNames(options.contexts);
  if (options.contexts.length > 0 && options.words.includes(STDIN)) {
    throw new UsageError(
      '--contexts and standard input exclude each other',
      'Name a directory that holds a snapshot or dump for each of them.',
    );
  }
  if (second === undefined) return;
  if (first === STDIN && second === STDIN) {
    throw new UsageError('standard input can be read only once', 'Give - once, and the other as a file.');
  }
  const flag = findConnectionFlag(options);
  if (flag === undefined) return;
  throw new UsageError(
    `${second} and --${flag} exclude each other: of two files, neither is a live mesh`,
    'Leave one of them out.',
  );
}

/** As diff(1): 0 the same, 1 different, 2 not known. */
function exitCode({ rowCount, failures, partial }: Report): number {
  if (partial === true || failures.some(({ severity }) => severity === 'error')) return 2;
  return rowCount > 0 ? 1 : 0;
}
