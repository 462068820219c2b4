// How the members of one section, from whichever keys they came, become one list in a stated order.

import type { Json } from '../../base/json.ts';
import { compareText } from '../../base/order.ts';
import type { Shape, Source } from './eras.ts';
import { ShapeError } from './fields.ts';

/** What a section's members are. */
export interface SectionRules<T> {
  /** `key` is the member's key in a map, `source` the top-level key. Throws ShapeError. */
  readonly decode: (value: Json, key: string, source: string) => T;
  /** What makes two members the same one; '' when it has nothing of the kind, and its key in the map decides. */
  readonly identity: (item: T) => string;
  /** Texts by which members of maps are sorted. */
  readonly order: (item: T) => readonly string[];
}

/** Gathers the members of one section. */
export interface SectionCollector<T> {
  /** A source of the section begins; what the same key held before is forgotten, unless the key repeats. */
  begin(name: string, source: Source, shape: Shape | undefined): void;
  /** Takes a member in. Throws ShapeError. */
  add(key: string | number, value: Json): void;
  /** Takes in members of a list that follow one another; false, and nothing done, where one of them is wrong. */
  addAll(values: readonly Json[]): boolean;
  /** True once a source of a known shape has begun. */
  found(): boolean;
  /** A list in the order sent; maps joined without doubles and sorted. */
  items(): readonly T[];
}

interface Part<T> {
  readonly source: Source;
  readonly shape: Shape;
  readonly list: T[];
  readonly map: Map<string, readonly T[]>;
}

function compareTexts(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < left.length; index += 1) {
    const order = compareText(left[index]!, right[index]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Sorts by texts that are made once an item: a dump may have 100,000 of them. */
function sortBy<T>(items: Iterable<T>, texts: (item: T) => readonly string[]): readonly T[] {
  return Array.from(items, (item) => ({ item, texts: texts(item) }))
    .sort((a, b) => compareTexts(a.texts, b.texts))
    .map(({ item }) => item);
}

export function createSection<T>(rules: SectionRules<T>): SectionCollector<T> {
  const parts = new Map<string, Part<T>>();
  let name = '';
  let part: Part<T> | undefined;

  function decodeAll(key: string, value: Json, current: Part<T>): readonly T[] {
    const { membersOf } = current.source;
    if (membersOf === undefined) return [rules.decode(value, key, name)];
    return membersOf(value).map((member, index) => {
      try {
        return rules.decode(member, key, name);
      } catch (error) {
        if (!(error instanceof ShapeError) || !Array.isArray(value)) throw error;
        const rest = error.path === '' ? '' : `.${error.path}`;
        throw new ShapeError(`[${index}]${rest}`, error.complaint);
      }
    });
  }

  /** Without an identity of its own, a member is told apart by where it stood. */
  function joined(): readonly T[] {
    const byIdentity = new Map<string, T>();
    const take = (item: T, place: string) => {
      const identity = rules.identity(item) || `\0${place}`;
      if (!byIdentity.has(identity)) byIdentity.set(identity, item);
    };
    const byRank = [...parts.values()].sort((a, b) => a.source.rank - b.source.rank);
    for (const { list, map } of byRank) {
      list.forEach((item, index) => void take(item, `${index}`));
      for (const [key, items] of map) items.forEach((item, index) => void take(item, `${key} ${index}`));
    }
    return sortBy(byIdentity.values(), rules.order);
  }

  return {
    begin(key, source, shape) {
      name = key;
      const before = parts.get(key);
      if (before !== undefined && source.repeats && shape === before.shape) {
        part = before;
        return;
      }
      part = shape === undefined ? undefined : { source, shape, list: [], map: new Map() };
      if (part === undefined) parts.delete(key);
      else parts.set(key, part);
    },
    add(key, value) {
      if (part === undefined) return;
      if (part.shape === 'list') part.list.push(rules.decode(value, '', name));
      else part.map.set(String(key), decodeAll(String(key), value, part));
    },
    addAll(values) {
      if (part === undefined || part.shape !== 'list') return false;
      const decoded: T[] = [];
      try {
        for (const value of values) decoded.push(rules.decode(value, '', name));
      } catch (error) {
        if (error instanceof ShapeError) return false;
        throw error;
      }
      for (const item of decoded) part.list.push(item);
      return true;
    },
    found: () => parts.size > 0,
    items() {
      const [only, ...others] = parts.values();
      return others.length === 0 && only?.shape === 'list' ? only.list : joined();
    },
  };
}
