// What a shell is told about the word that is being typed, in the protocol that kubectl speaks with its plugins.

import type { Command } from '../../commands/spec/command.ts';
import { askMesh, type Surroundings } from './asking.ts';
import { readCursor } from './cursor.ts';
import { findOffers, type Live } from './offers.ts';

/** More than a person reads. */
const MOST_OFFERS = 1000;

/**
 * `words` are those after the program's name; the last, which may be empty, is being typed. Gives one line for
 * each offer, `value<TAB>summary`, and a last line `:<directive>`: 4 no names of files, 2 no space after the value.
 * Never throws and never takes much more than a second: without a cluster it offers what it knows by itself.
 */
export async function complete(
  words: readonly string[],
  commands: readonly Command[],
  surroundings: Surroundings,
): Promise<string> {
  const before = words.slice(0, -1);
  // PowerShell can't pass an empty word on: it sends a space.
  const current = (words.at(-1) ?? '').trim();
  const cursor = readCursor(before, commands);
  const { prefix, offers, live, files = false } = findOffers(cursor, current, commands);
  const typed = current.slice(prefix.length);
  const ask = async (wanted: Live) => {
    return askMesh(wanted, typed, cursor, before, commands, surroundings);
  };
  const found = live === undefined ? [] : await ask(live);
  // Of a list, what stands in it already is not named again.
  const named = new Set(prefix.split(/[=,]/));
  const fitting = [...offers, ...found]
    .filter(({ value }) => value.startsWith(typed) && !named.has(value))
    .slice(0, MOST_OFFERS);
  const open = fitting.length > 0 && fitting.every(({ value }) => value.endsWith('/'));
  const lines = fitting.map(
    ({ value, summary }) => prefix + value + (summary === undefined ? '' : `\t${summary}`),
  );
  return [...lines, `:${(files ? 0 : 4) + (open ? 2 : 0)}`, ''].join('\n');
}
