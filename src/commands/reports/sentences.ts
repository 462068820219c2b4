// Words that the sentences below tables share: counts, and whose knowledge is shown.

import type { Answer } from '../../model/types.ts';

/** `1 policy`, `2 policies`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}

/** Of so many things: `as ztunnel-4jt7m knows them`, `as 3 ztunnels know it`. */
export function asKnownBy(answers: readonly Answer[], number: number): string {
  const [first, ...others] = answers.map(({ ztunnel }) => ztunnel.name);
  const what = number === 1 ? 'it' : 'them';
  return others.length === 0 ? `as ${first} knows ${what}` : `as ${answers.length} ztunnels know ${what}`;
}

/** What is said where no row is left. `noun` in the plural for what ztunnel knows none of. */
export function emptySentence(
  answers: readonly Answer[],
  filtered: boolean,
  noun: string,
  none: string,
): string {
  if (answers.length === 0) return 'no ztunnel answered';
  return filtered ? `no ${noun} matches the filters` : none;
}
