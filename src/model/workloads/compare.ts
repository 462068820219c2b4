// How one thing that several ztunnels know is found in all their dumps, and whether they say the same of it.

import { compareText } from '../../base/order.ts';
import type { ConfigDump } from '../dump.ts';
import type { Answer, ZtunnelRef } from '../types.ts';
import { compareRefs, refOf } from '../ztunnels/ztunnels.ts';

/** One workload, service or policy of a mesh, and who knows it. */
export interface Held<T> {
  /** As the first ztunnel that holds it has it. */
  readonly item: T;
  readonly first: Answer;
  /** All that hold it, sorted by namespace and name. */
  readonly ztunnels: readonly ZtunnelRef[];
  /** Two of them have it differently. */
  readonly differs: boolean;
}

interface Found<T> {
  readonly item: T;
  readonly holders: [Answer, ...Answer[]];
  differs: boolean;
}

/**
 * Each thing once, in the order in which the dumps first name it; the first dump that holds it describes it.
 * Ztunnels of one release are compared by what they sent (if dumps were read with it), ztunnels of different
 * releases by what is decoded of it and known to both, since fields come and go between releases.
 */
export function joinHeld<T extends object>(
  answers: readonly Answer[],
  itemsOf: (dump: ConfigDump) => readonly T[],
  keyOf: (item: T) => string,
): readonly Held<T>[] {
  const refsOf = createRefs();
  const [first, another] = answers;
  if (first !== undefined && another === undefined) {
    return onceEach(itemsOf(first.dump), keyOf).map((item) => {
      return { item, first, ztunnels: refsOf([first]), differs: false };
    });
  }
  const found = new Map<string, Found<T>>();
  for (const answer of answers) {
    for (const item of itemsOf(answer.dump)) {
      const key = keyOf(item);
      const known = found.get(key);
      if (known === undefined) found.set(key, { item, holders: [answer], differs: false });
      else if (known.holders.at(-1) !== answer) {
        known.differs ||= !agree(known.item, known.holders[0], item, answer);
        known.holders.push(answer);
      }
    }
  }
  return Array.from(found.values(), ({ item, holders, differs }) => ({
    item,
    first: holders[0],
    ztunnels: refsOf(holders),
    differs,
  }));
}

/** The first of each key. A list that comes sorted, as ztunnel sends it, shows by its order that none comes twice. */
function onceEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const isAscending = items.every((item, index) => index === 0 || keyOf(items[index - 1]!) < keyOf(item));
  if (isAscending) return items;
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** What only one ztunnel holds shares one list of it: of a mesh, that is all there is, 100,000 times. */
function createRefs(): (holders: readonly Answer[]) => readonly ZtunnelRef[] {
  const alone = new Map<Answer, readonly ZtunnelRef[]>();
  return (holders) => {
    const [only, another] = holders;
    if (only === undefined || another !== undefined) return holders.map(refOf).toSorted(compareRefs);
    const refs = alone.get(only) ?? [refOf(only)];
    alone.set(only, refs);
    return refs;
  };
}

function agree(item: object, its: Answer, other: object, others: Answer): boolean {
  const sameRelease = its.dump.version === others.dump.version;
  const { raw, ...decoded } = item as { raw?: unknown };
  const { raw: otherRaw, ...otherDecoded } = other as { raw?: unknown };
  if (sameRelease && raw !== undefined && otherRaw !== undefined) return isSame(raw, otherRaw, isSame);
  return sameRelease ? isSame(decoded, otherDecoded, isSame) : isCompatible(decoded, otherDecoded);
}

/**
 * The decoded fields in which two descriptions of a thing differ, sorted; what ztunnels of different releases leave
 * empty is not known to differ.
 */
export function differingFields<T extends object>(
  item: T,
  its: Answer,
  other: T,
  others: Answer,
): readonly (keyof T & string)[] {
  const same = its.dump.version === others.dump.version ? isSame : isCompatible;
  const names = new Set([...Object.keys(item), ...Object.keys(other)]) as Set<keyof T & string>;
  names.delete('raw' as keyof T & string);
  return [...names].filter((name) => !same(item[name], other[name], same)).toSorted(compareText);
}

type Compare = (a: unknown, b: unknown, within: Compare) => boolean;

/** The same JSON value: keys in any order, and so lists of plain values, which ztunnel keeps in sets. */
const isSame: Compare = (a, b, within) => {
  if (a === b) return true;
  if (!isCollection(a) || !isCollection(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    const [left, right] = a.some(isCollection) ? [a, b] : [a.toSorted(), b.toSorted()];
    return left.every((value, index) => within(value, right[index], within));
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && within(a[key], b[key], within))
  );
};

/** The same as far as both say something: what one of them leaves empty is not known to differ. */
function isCompatible(a: unknown, b: unknown): boolean {
  return isEmpty(a) || isEmpty(b) || isSame(a, b, isCompatible);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function isCollection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
