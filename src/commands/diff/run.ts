// How `diff` asks, relates and reports.

import { UserError } from '../../base/errors.ts';
import {
  type Asked,
  attemptEach,
  latestOf,
  type Part,
  sharedProgress,
  shareOf,
} from '../../mesh/clusters.ts';
import { diffCertificates } from '../../model/certificates/diff.ts';
import { compareDifferences, type Difference } from '../../model/difference.ts';
import { examplesOf } from '../../model/findings/trust.ts';
import type { CertificateItem } from '../../model/items.ts';
import { createVerification } from '../../model/reach/chainverification.ts';
import { diffPairs } from '../../model/reach/pairs.ts';
import { createReachWorld, type ReachWorld } from '../../model/reach/world.ts';
import { diffTrust, type TrustState } from '../../model/trust/diff.ts';
import { diffHeld } from '../../model/workloads/helddiff.ts';
import type { Report } from '../../printers/printer.ts';
import { listClusters, tagged } from '../reports/clusters.ts';
import { sortItems } from '../reports/columns.ts';
import { count } from '../reports/sentences.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { type Compared, differenceColumnsOver, differenceReport } from './report.ts';
import { type Comparable, compareKnowledge, fileNameOf, readSide, type Side } from './side.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const { contexts, words } = options;
  const [first = '', second] = words;
  const asked: Asked<Compared> =
    contexts.length > 0
      ? await compareEach(first, second, options, context)
      : only(await compare(first, second, options, context));
  const { parts, failures } = asked;
  const afters = parts.map(({ cluster, looked }) => ({ cluster, looked: looked.after }));
  const clusters = listClusters(contexts, afters);
  const all = parts.flatMap(({ cluster, looked }) => tagged(looked.differences, cluster));
  const columns = differenceColumnsOver(clusters !== undefined);
  yield differenceReport({
    differences: sortItems(columns, all.toSorted(compareDifferences), options.sortBy),
    parts,
    clusters,
    failures,
    reference: latestOf(
      afters.map(({ looked }) => looked.reference),
      context.clock,
    ),
    names: { before: first, after: second ?? 'the live meshes' },
  });
}

function only(looked: Compared): Asked<Compared> {
  const part: Part<Compared> = { cluster: undefined, looked };
  return { parts: [part], failures: [], warnings: [] };
}

/** Of each context what the directories hold of it; without the second, what there is now. */
async function compareEach(
  before: string,
  after: string | undefined,
  options: Options,
  context: CommandContext,
): Promise<Asked<Compared>> {
  const { contexts, concurrency } = options;
  const names = contexts.map(fileNameOf);
  const saved = await context.findSaved(before, names);
  const savedLater = after === undefined ? undefined : await context.findSaved(after, names);
  const progress = sharedProgress(context.progress);
  const attempt = (name: string) => {
    const at = contexts.indexOf(name);
    const first = onlyOne(saved[at]!, before, name);
    const second = savedLater && onlyOne(savedLater[at]!, after!, name);
    const own = { ...options, context: name, concurrency: shareOf(options) };
    return compare(first, second, own, { ...context, progress: progress.part() });
  };
  return attemptEach(contexts, async (name) => attempt(name), concurrency, context);
}

function onlyOne(paths: readonly string[], directory: string, context: string): string {
  const [path, other] = paths;
  if (path === undefined) {
    const name = fileNameOf(context);
    throw new UserError(
      `${directory} holds no snapshot or dump of it`,
      `It would be called ${name}.tar.gz or ${name}.json, or ${name} as a folder.`,
    );
  }
  if (other === undefined) return path;
  throw new UserError(`${path} and ${other} are both of it`, 'Leave one of them in the directory.');
}

async function compare(
  first: string,
  second: string | undefined,
  options: Options,
  context: CommandContext,
): Promise<Compared> {
  const before = await readNamed(first, options, context);
  const after = await readNamed(second, options, context);
  const comparable = compareKnowledge(before, after);
  return { before, after, comparable, differences: compareSides(before, after, comparable, options) };
}

/** Of a namespace: between its own. */
function stateOf({ certificates, verification, reference }: Side, namespace: string | undefined): TrustState {
  const items = certificates.filter((item) => namespace === undefined || item.namespace === namespace);
  return { items, verification, at: reference.time.getTime() };
}

/** `2 identities (shop/web on node-a, …)`. */
function nameMembers(members: readonly CertificateItem[]): string {
  const number = new Set(members.map(({ identity }) => identity)).size;
  return number === 1 && members.length === 1
    ? examplesOf(members, 1)
    : `${count(number, 'identity', 'identities')} (${examplesOf(members, 1)})`;
}

/** undefined is the live mesh. */
async function readNamed(file: string | undefined, options: Options, context: CommandContext): Promise<Side> {
  const opened = await context.openMesh({
    ...options,
    file: file === undefined ? [] : [file],
    resources: [],
  });
  const mesh = { ...opened, progress: context.progress };
  try {
    return await readSide(file ?? 'the live mesh', mesh, options);
  } finally {
    await mesh.cluster.close();
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
  const isWhole = before.whole.length > 0 && after.whole.length > 0;
  const held = isWhole ? diffHeld(before.whole, after.whole) : [];
  const pairs = isWhole ? diffPairs(worldOf(before), worldOf(after)) : [];
  const trust = diffTrust(stateOf(before, namespace), stateOf(after, namespace), isKnown, nameMembers);
  const isWanted = (each: Difference) => namespace === undefined || each.namespace === namespace;
  return [...[...certificates, ...held, ...pairs].filter(isWanted), ...trust];
}

/** Judged at its own time. */
function worldOf({ collected, reference }: Side): ReachWorld {
  const at = reference.time.getTime();
  const { answers, failures } = collected;
  return createReachWorld({ answers, failures, at, verification: createVerification(at) });
}
