// What somebody most likely meant by a TARGET that is not found.

import { nearest } from '../../base/nearest.ts';
import { compareText } from '../../model/order.ts';
import type { TargetPlaces } from '../../model/targets/findtarget.ts';
import { listNamesakes } from '../../model/targets/knownidentities.ts';
import {
  formatTarget,
  readingsOf,
  TARGET_TYPES,
  type Target,
  type TargetType,
} from '../../model/targets/target.ts';
import { isCalled, namesOf, type TargetPod, type TargetWorld } from '../../model/targets/targetworld.ts';

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
