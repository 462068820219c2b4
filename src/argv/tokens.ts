// How the words of a command line group into flags with values, positional words and the wish for help.

import type { Flag, Flags } from '../commands/flags.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../nearest.ts';

export type Token =
  | { readonly type: 'flag'; readonly name: string; readonly text: string }
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'help' };

interface Options {
  /** Unknown flags are passed over: used while it is not yet known which command's flags apply. */
  readonly lenient: boolean;
  /** What to say of a flag that is not among the flags; undefined for the usual. */
  readonly explain?: (shown: string, name: string) => UsageError | undefined;
}

/**
 * kubectl's (pflag's) grammar, which yargs alone reads differently: `-ojson`, `-o=json`, `-o json`, `-Aojson`,
 * `--name=value`, `--name value`, `--switch=false`, a bare `-` as a value or word, and only words after `--`.
 * Throws UsageError for an unknown flag or one without its value.
 */
export function tokenize(
  argv: readonly string[],
  flags: Flags,
  options: Options = { lenient: false },
): readonly Token[] {
  const tokens: Token[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      tokens.push(...rest.map((text) => ({ type: 'word', text }) as const));
      break;
    }
    if (word.startsWith('--')) tokens.push(...longFlag(word, rest, flags, options));
    else if (word.startsWith('-') && word !== '-') tokens.push(...shortFlags(word, rest, flags, options));
    else tokens.push({ type: 'word', text: word });
  }
  return tokens;
}

function longFlag(word: string, rest: string[], flags: Flags, options: Options): readonly Token[] {
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  if (name === 'help') return [{ type: 'help' }];
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) return unknownFlag(`--${name}`, name, flags, options);
  const text = equals < 0 ? separateValue(`--${name}`, flag, rest, options) : word.slice(equals + 1);
  return [{ type: 'flag', name, text }];
}

/** `-Aojson`: switches may stand together; the first flag that takes a value takes the rest of the word. */
function shortFlags(word: string, rest: string[], flags: Flags, options: Options): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    if (letter === 'h') return [...tokens, { type: 'help' }];
    const found = Object.entries(flags).find(([, flag]) => flag.short === letter);
    if (found === undefined) return [...tokens, ...unknownFlag(`-${letter}`, letter, flags, options)];
    const [name, flag] = found;
    const tail = word.slice(at + 1);
    if (tail.startsWith('=')) return [...tokens, { type: 'flag', name, text: tail.slice(1) }];
    if (flag.kind !== 'boolean') {
      const text = tail === '' ? separateValue(`-${letter}`, flag, rest, options) : tail;
      return [...tokens, { type: 'flag', name, text }];
    }
    tokens.push({ type: 'flag', name, text: 'true' });
  }
  return tokens;
}

/** The value that follows as a word of its own. As in kubectl, whatever follows is the value, even `-x`. */
function separateValue(shown: string, flag: Flag, rest: string[], { lenient }: Options): string {
  if (flag.kind === 'boolean') return 'true';
  const text = rest.shift();
  if (text !== undefined) return text;
  // Which command it is must be known first: the exit code of a usage error is the command's own.
  if (lenient) return '';
  throw new UsageError(`${shown} needs a value`, `Write ${shown} ${flag.value ?? 'VALUE'}.`);
}

function unknownFlag(shown: string, name: string, flags: Flags, options: Options): readonly Token[] {
  if (options.lenient) return [];
  const explained = options.explain?.(shown, name);
  if (explained !== undefined) throw explained;
  const guess = nearest(name, Object.keys(flags));
  throw new UsageError(
    `there is no flag ${shown}`,
    guess === undefined ? 'See --help for the flags.' : `Did you mean --${guess}? See --help for the flags.`,
  );
}
