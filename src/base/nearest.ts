// Which known name a mistyped one most likely meant.

/** The closest name within a third of its length in edits, or undefined. Ties: the first given. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = name.startsWith(text) && text.length >= 3 ? 0.5 : edits(text.slice(0, 64), name);
    if (distance < least && distance <= Math.floor(name.length / 3)) {
      best = name;
      least = distance;
    }
  }
  return best;
}

/** Edit distance in which swapping two neighbouring letters counts as one edit. */
function edits(a: string, b: string): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, twoBack[j - 2]! + 1);
      row.push(value);
    }
    [twoBack, previous] = [previous, row];
  }
  return previous[b.length]!;
}
