// How `diff` asks, relates and reports.

import { diffCertificates } from '../../model/certificatediff.ts';
import { compareDifferences, type Difference } from '../../model/difference.ts';
import { diffHeld } from '../../model/helddiff.ts';
import type { Report } from '../../printers/printer.ts';
import { type Comparable, compareKnowledge } from '../ask/comparable.ts';
import { readSide, type Side } from '../ask/side.ts';
import type { CommandContext } from '../command.ts';
import type { Options } from '../diff.ts';
import { sortItems } from '../rows/columns.ts';
import { differenceColumns, differenceReport } from '../rows/differences.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
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
