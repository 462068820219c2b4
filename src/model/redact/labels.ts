// What is left of labels when they are redacted: that two are equal.

import type { Names } from './names.ts';

/** Keys and values as hashes. */
export function redactLabels(labels: Readonly<Record<string, string>>, names: Names): Record<string, string> {
  const short = (text: string) => names.digest(text).slice(0, 12);
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [short(key), short(value)]));
}
