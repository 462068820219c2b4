// What is worked out once and remembered: a memo that never grows beyond its bound, and a single value.

export type Memo<K, V> = (key: K, make: () => V) => V;

/**
 * Remembers what `make` returned for a key. Two generations: once `limit` keys are young, the old ones are
 * forgotten and the young become old, so that it holds at most twice the limit and keeps what is in use.
 */
export function createMemo<K, V>(limit: number): Memo<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  return (key, make) => {
    if (young.has(key)) return young.get(key) as V;
    const value = old.has(key) ? (old.get(key) as V) : make();
    if (young.size >= limit) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
    return value;
  };
}

/** A function that makes its value when it is first asked. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
