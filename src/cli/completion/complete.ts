// What a shell is answered about the word that is being typed, in the protocol of kubectl's plugins.

import type { Command } from '../../commands/spec/command.ts';
import { flagsOf } from '../../commands/spec/common.ts';
import type { Flag, Flags } from '../../commands/spec/flags.ts';
import { askMesh, type Surroundings } from './asking.ts';
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

export interface Cursor {
  /** undefined before a command is named. */
  readonly command: Command | undefined;
  /** The words so far, the command's name apart; before a command, `help` may be one. */
  readonly words: readonly string[];
  /** The flags so far, by name. */
  readonly given: ReadonlySet<string>;
  /** The flag whose value comes next, by name. */
  readonly awaited: string | undefined;
  /** After `--`: no more flags. */
  readonly onlyWords: boolean;
}

/** Reads the words before the cursor. Never throws: what is unknown is passed over. */
export function readCursor(before: readonly string[], commands: readonly Command[]): Cursor {
  const flags: Flags = Object.assign({}, ...commands.map(flagsOf), flagsOf(undefined));
  const words: string[] = [];
  const given = new Set<string>();
  let awaited: string | undefined;
  let onlyWords = false;
  for (const word of before) {
    if (awaited !== undefined) awaited = undefined;
    else if (onlyWords || word === '-' || !word.startsWith('-')) words.push(word);
    else if (word === '--') onlyWords = true;
    else awaited = readFlag(word, flags, given);
  }
  const command = commands.find(({ name, aliases }) => name === words[0] || aliases.includes(words[0] ?? ''));
  return { command, words: command === undefined ? words : words.slice(1), given, awaited, onlyWords };
}

/** Notes the flags of one word; gives the name of the one whose value is the next word. */
function readFlag(word: string, flags: Flags, given: Set<string>): string | undefined {
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=', 1);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) return undefined;
    given.add(name);
    return flag.kind === 'boolean' || word.includes('=') ? undefined : name;
  }
  for (let at = 1; at < word.length; at++) {
    const [name, flag] = findShort(word[at]!, flags) ?? [];
    if (name === undefined || flag === undefined) return undefined;
    given.add(name);
    if (flag.kind !== 'boolean') return at === word.length - 1 ? name : undefined;
  }
  return undefined;
}

/** The flag of a letter. */
export function findShort(letter: string, flags: Flags): readonly [name: string, flag: Flag] | undefined {
  return Object.entries(flags).find(([, flag]) => flag.short === letter);
}
