// Where in a command line the cursor stands: after which command and words, and whether in a flag's value.

import type { Command } from '../../commands/spec/command.ts';
import { flagsOf } from '../../commands/spec/common.ts';
import type { Flag, Flags } from '../../commands/spec/flags.ts';

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
