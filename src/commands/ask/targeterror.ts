// What is said when TARGET is not found, or is found more than once.

import { UserError } from '../../errors.ts';
import type { FoundTarget, TargetPlaces } from '../../model/findtarget.ts';
import { compareText } from '../../model/order.ts';
import { formatTarget, readingsOf, TARGET_TYPES, type Target, type TargetType } from '../../model/target.ts';
import { isCalled, namesOf, type TargetPod, type TargetWorld } from '../../model/targetworld.ts';
import { nearest } from '../../nearest.ts';

const MOST_SHOWN = 3;

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

/** Nothing goes by that name; the next step is what was likely meant. */
export function absentTarget(target: Target, world: TargetWorld, places: TargetPlaces): UserError {
  const { type, name } = target;
  if (type !== 'identity' && !KNOWN_FROM_DUMPS.has(type) && !world.knowsControllers) {
    return new UserError(
      `${formatTarget(type, name)} can't be looked up: config dumps name pods, not what owns them`,
      'Add --resources with what `kubectl get pods,rs,jobs -A -o yaml` prints, or name a pod.',
    );
  }
  const meant = type === 'identity' ? nearIdentities(name, world) : nearNames(target, type, world, places);
  return new UserError(
    absence(target, places),
    meant.length === 0
      ? 'See what there is with: kubectl ztunnel workloads'
      : `Did you mean ${meant.slice(0, MOST_SHOWN).join(' or ')}?`,
  );
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
    return [...same, ...nearestOf(type, reading.name, likeliest)];
  });
  return [...new Set(texts)];
}

const OTHER_TYPES = Object.keys(TARGET_TYPES) as readonly TargetType[];

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

/** By service account, whatever the namespace. */
function nearIdentities(identity: string, { pods }: TargetWorld): readonly string[] {
  return nearestOf('serviceaccount', identity.split('/').at(-1)!, pods);
}
