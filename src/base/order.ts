// How values are put in an order that is the same on every machine.

export type Comparator<T> = (a: T, b: T) => number;

/** By UTF-16 code units, the same on every machine. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The first comparator that tells two values apart decides. */
export function compareBy<T>(...comparators: readonly Comparator<T>[]): Comparator<T> {
  return (a, b) => {
    for (const compare of comparators) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}
