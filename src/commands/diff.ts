// `diff`: what has changed between two snapshots, two dumps, or a snapshot and the live mesh.

import { UsageError } from '../errors.ts';
import { diffCertificates } from '../model/certificatediff.ts';
import { compareDifferences, type Difference } from '../model/difference.ts';
import { diffHeld } from '../model/helddiff.ts';
import type { Report } from '../printers/printer.ts';
import { type Comparable, compareKnowledge } from './ask/comparable.ts';
import { readSide, type Side } from './ask/side.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { type CommonOptions, takesAllBut } from './common.ts';
import { findConnectionFlag } from './connectionflags.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { sortItems } from './rows/columns.ts';
import { differenceColumns, differenceReport } from './rows/differences.ts';

const flags = defineFlags({});
type Options = OptionsOf<typeof flags> & CommonOptions;

const STDIN = '-';

/** What is compared stands in its arguments. */
const NOT_TAKEN = ['file', 'resources', 'no-owners'] as const;

export const diff = defineCommand({
  name: 'diff',
  aliases: [],
  summary: 'What has changed between two snapshots, dumps, or a snapshot and now',
  examples: [
    { args: 'diff before.tar.gz', does: 'since a snapshot was taken' },
    { args: 'diff before.tar.gz after.tar.gz', does: 'between two of them' },
    { args: 'diff monday.json tuesday.json -o wide', does: 'between two dumps of a ztunnel' },
    { args: 'diff before.tar.gz -n shop -o json', does: 'one namespace, as a stable document' },
  ],
  arguments: { usage: 'A [B]', least: 1, most: 2, completes: 'files' },
  flags,
  takes: takesAllBut(NOT_TAKEN),
  needsCluster: () => false,
  formats: ['table', 'wide', 'json', 'yaml'],
  check: checkOptions,
  run,
  exitCode,
  usageExitCode: 2,
  errorExitCode: 2,
});

function checkOptions(options: Options): void {
  const [first, second] = options.words;
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

async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const [first, second] = options.words;
  const before = await readNamed(first, options, context);
  const after = await readNamed(second, options, context);
  const comparable = compareKnowledge(before, after);
  const found = compareSides(before, after, comparable, options);
  const differences = sortItems(differenceColumns, found, options.sortBy);
  yield differenceReport(differences, before, after, comparable, caveats(before, after));
}

/** undefined is the live mesh. */
async function readNamed(file: string | undefined, options: Options, context: CommandContext): Promise<Side> {
  const cluster = await context.connect({
    ...options,
    file: file === undefined ? [] : [file],
    resources: [],
  });
  try {
    return await readSide(file ?? 'the live mesh', cluster, options, context);
  } finally {
    await cluster.close();
  }
}

function compareSides(
  before: Side,
  after: Side,
  { isKnown }: Comparable,
  { namespace }: Options,
): readonly Difference[] {
  const knowsMissing = before.knowsMissing && after.knowsMissing;
  const shown = ({ certificates }: Side) =>
    certificates.filter(({ status }) => knowsMissing || status !== 'MISSING');
  const certificates = diffCertificates(shown(before), shown(after), isKnown);
  const held = before.whole.length > 0 && after.whole.length > 0 ? diffHeld(before.whole, after.whole) : [];
  return [...certificates, ...held]
    .filter((each) => namespace === undefined || each.namespace === namespace)
    .toSorted(compareDifferences);
}

function caveats(before: Side, after: Side): readonly string[] {
  const isMadeUp = (before.redacted || after.redacted) && before.name !== after.name;
  return isMadeUp ? ['names in a redacted snapshot are made up, so that they match no others'] : [];
}
