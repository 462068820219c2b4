// What is said when TARGET is not found or ambiguous, and what was most likely intended.

import { AbsentTargetError, UserError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { compareText } from '../../base/order.ts';
import { type FoundTarget, listNamesakes, type TargetPlaces } from '../../model/targets/findtarget.ts';
import {
  formatTarget,
  readingsOf,
  TARGET_TYPES,
  type Target,
  type TargetType,
} from '../../model/targets/target.ts';
import { isCalled, namesOf, type TargetPod, type TargetWorld } from '../../model/targets/targetworld.ts';

const MOST_SHOWN = 3;
const NODES_SHOWN = 5;

/** The names are the same in several namespaces. */
export function ambiguousTarget(
  { type }: Target,
  { name, namespaces }: Extract<FoundTarget, { what: 'ambiguous' }>,
): UserError {
  const shown = namespaces.slice(0, 10).join(', ') + (namespaces.length > 10 ? ', …' : '');
  return new UserError(
    `${formatTarget(type, name)} is in ${namespaces.length} namespaces: ${shown}`,
    `Write ${formatTarget(type, name, namespaces[0])}, or name one with -n.`,
  );
}

/** All its pods are on the host's network. */
export function targetOnHost({ type, name }: Target): UserError {
  return new UserError(
    `${formatTarget(type, name)} has only pods on the host's network (hostNetwork), which get no certificate`,
    'There is nothing to wait for: ztunnel captures only pods that have a network of their own.',
  );
}

/** Where TARGET was looked for. */
export interface Searched {
  readonly world: TargetWorld;
  readonly places: TargetPlaces;
  /** What was saved (`-f`), and no live mesh. */
  readonly saved: boolean;
}

/** Nothing goes by that name; the next step is what was likely meant. `identities` are all that are known of. */
export function absentTarget(target: Target, searched: Searched, identities: readonly string[]): UserError {
  const { world, places } = searched;
  const { type, name } = target;
  if (type !== 'identity' && !KNOWN_FROM_DUMPS.has(type) && !world.knowsControllers) {
    return new UserError(
      `${formatTarget(type, name)} can't be looked up: config dumps name pods, not what owns them`,
      'Add --resources with what `kubectl get pods,rs,jobs -A -o yaml` prints, or name a pod.',
    );
  }
  const meant = listMeant(target, world, places, identities);
  return new AbsentTargetError(
    absence(target, places),
    meant.length === 0
      ? whereToLook(type, searched)
      : `Did you mean ${meant.slice(0, MOST_SHOWN).join(' or ')}?`,
  );
}

/** Nothing is alike. */
function whereToLook(type: Target['type'], { world: { nodes }, saved }: Searched): string {
  if (type === 'node' && nodes.length > 0) {
    const more = nodes.length > NODES_SHOWN ? ` and ${nodes.length - NODES_SHOWN} more` : '';
    return `The nodes are ${nodes.slice(0, NODES_SHOWN).join(', ')}${more}.`;
  }
  // A whole command line without its -f would ask a live mesh.
  return saved
    ? 'The command workloads shows what there is, with the same -f and --resources.'
    : 'See what there is with: kubectl ztunnel workloads';
}

const KNOWN_FROM_DUMPS: ReadonlySet<string> = new Set([
  'pod',
  'serviceaccount',
  'node',
] satisfies TargetType[]);

function absence(target: Target, { given }: TargetPlaces): string {
  const shown = formatTarget(target.type, target.name);
  const where = given === undefined ? '' : ` in namespace ${given}`;
  if (target.type === 'identity') return `no pod runs as ${shown}, and no ztunnel lists it`;
  if (target.type === 'node') return `there is no ${shown} with a ztunnel or a pod`;
  // Only pods are listed: what has none can't be told from what is not there.
  return target.type === 'pod' ? `there is no pod ${shown}${where}` : `there is no pod of ${shown}${where}`;
}

/** As one would type them, likeliest first. `identities` are all that are known of. */
export function listMeant(
  target: Target,
  world: TargetWorld,
  places: TargetPlaces,
  identities: readonly string[],
): readonly string[] {
  if (target.type !== 'identity') return nearNames(target, target.type, world, places);
  const namesakes = listNamesakes(target.name, identities);
  // By service account, whatever the namespace.
  const serviceAccount = target.name.slice(target.name.lastIndexOf('/') + 1);
  return namesakes.length > 0 ? namesakes : nearestOf('serviceaccount', serviceAccount, world.pods);
}

/** The same name elsewhere, the same name of another type, and names that are alike. */
function nearNames(
  target: Target,
  type: TargetType,
  world: TargetWorld,
  { given, context }: TargetPlaces,
): readonly string[] {
  const home = given ?? context;
  const texts = readingsOf(target).flatMap((reading) => {
    const wanted = reading.namespace ?? home;
    const likeliest = world.pods.toSorted(
      (a, b) =>
        Number(b.namespace === wanted) - Number(a.namespace === wanted) ||
        compareText(a.namespace, b.namespace),
    );
    const same = [type, ...OTHER_TYPES.filter((other) => other !== type)].flatMap((other) =>
      likeliest
        .filter((pod) => isCalled(pod, other, reading.name))
        .map((pod) => textOf(other, reading.name, pod)),
    );
    const alike =
      type === 'node' ? nearestNode(reading.name, world) : nearestOf(type, reading.name, likeliest);
    return [...same, ...alike];
  });
  return [...new Set(texts)];
}

const OTHER_TYPES = Object.keys(TARGET_TYPES) as readonly TargetType[];

/** A dump may name its node and no pod. */
function nearestNode(name: string, { nodes }: TargetWorld): readonly string[] {
  const guess = nearest(name, nodes);
  return guess === undefined ? [] : [formatTarget('node', guess)];
}

function nearestOf(type: TargetType, name: string, pods: readonly TargetPod[]): readonly string[] {
  const byName = new Map<string, TargetPod>();
  for (const pod of pods) {
    for (const known of namesOf(pod, type)) if (!byName.has(known)) byName.set(known, pod);
  }
  const guess = nearest(name, [...byName.keys()]);
  return guess === undefined ? [] : [textOf(type, guess, byName.get(guess)!)];
}

function textOf(type: TargetType, name: string, { namespace }: TargetPod): string {
  return formatTarget(type, name, type === 'node' ? undefined : namespace);
}
