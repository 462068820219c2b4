// How node names are shortened for a terminal without two of them becoming one.

import { isDistinct, type Measure, shortenAll } from '../base/text.ts';

/** Columns. An EKS name without its suffix, an AKS name and a GKE name with its default pool are not longer. */
const LONGEST = 40;

/** What stands in a NODE column where no node is known. */
const NOT_NAMES: ReadonlySet<string> = new Set(['', '-', '?']);

/**
 * Each distinct name with what a terminal shows of it: without the DNS suffix that all of them share, and over 40
 * columns shortened in its middle. Different names stay different: where shortening makes two alike, all stay longer.
 */
export function shortNodeNames(texts: Iterable<string>, measure: Measure): ReadonlyMap<string, string> {
  const names = [...new Set(texts)].filter((text) => !NOT_NAMES.has(text));
  const suffix = sharedSuffix(names);
  const bare = (name: string) => name.slice(0, name.length - suffix.length);
  const short = shortenAll(names.map(bare), LONGEST, measure);
  const shown = isDistinct(short) ? short : undefined;
  return new Map(names.map((name) => [name, shown?.get(bare(name)) ?? bare(name)]));
}

/**
 * Each distinct name with its first label, where those alone tell all names apart: nodes of several clusters share no
 * suffix, and cut in the middle they would look alike. Undefined where two would become one.
 */
export function hostNames(texts: Iterable<string>): ReadonlyMap<string, string> | undefined {
  const hosts = new Map([...new Set(texts)].map((name) => [name, firstLabel(name)]));
  return isDistinct(hosts) ? hosts : undefined;
}

/** An IP address, and a name that begins with a dot, stay whole. */
function firstLabel(name: string): string {
  const [first = '', ...others] = name.split('.');
  return first === '' || isNumber(others.at(-1) ?? '') ? name : first;
}

function isNumber(label: string): boolean {
  return /^\d*$/.test(label);
}

/**
 * The longest run of whole labels, with its leading dot, that ends all names and leaves each at least its first
 * label. Taking the same text off different names leaves them different. A single name loses all but its first label:
 * a saved dump is of one node, and its suffix tells nothing that the reader needs in every row. An all-digit last
 * label is no DNS suffix but an IP address (some clouds name nodes so), which must stay whole; a name without a first
 * label would be left with nothing.
 */
function sharedSuffix(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => name.split('.'));
  const isAddress = isNumber(first?.at(-1) ?? '');
  if (first === undefined || isAddress || names.some((name) => name.startsWith('.'))) {
    return '';
  }
  let shared = first.slice(1);
  for (const labels of others) {
    const most = Math.min(shared.length, labels.length - 1);
    let count = 0;
    while (count < most && shared.at(-1 - count) === labels.at(-1 - count)) {
      count += 1;
    }
    shared = shared.slice(shared.length - count);
  }
  return shared.map((label) => `.${label}`).join('');
}
