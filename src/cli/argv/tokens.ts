// How the words of a command line group into flags with values, positional words and the wish for help.

import type { Flag, Flags } from '../../commands/spec/flags.ts';

export type Token =
  | { readonly type: 'flag'; readonly name: string; readonly text: string }
  | { readonly type: 'word'; readonly text: string }
  | { readonly type: 'help' }
  /** A flag that is none of those known; `shown` is how it was typed, without its value. */
  | { readonly type: 'unknown'; readonly name: string; readonly shown: string }
  /** A flag behind which its value is missing. */
  | { readonly type: 'unfinished'; readonly name: string; readonly shown: string };

/**
 * kubectl's (pflag's) grammar, which yargs alone reads differently: `-ojson`, `-o=json`, `-o json`, `-Aojson`,
 * `--name=value`, `--name value`, `--switch=false`, a bare `-` as a value or word, and only words after `--`.
 */
export function tokenize(argv: readonly string[], flags: Flags): readonly Token[] {
  const tokens: Token[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      tokens.push(...rest.map((text) => ({ type: 'word', text }) as const));
      break;
    }
    if (word.startsWith('--')) tokens.push(longFlag(word, rest, flags));
    else if (word.startsWith('-') && word !== '-') tokens.push(...shortFlags(word, rest, flags));
    else tokens.push({ type: 'word', text: word });
  }
  return tokens;
}

function longFlag(word: string, rest: string[], flags: Flags): Token {
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  if (name === 'help') return { type: 'help' };
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) return { type: 'unknown', name, shown: `--${name}` };
  if (equals >= 0) return { type: 'flag', name, text: word.slice(equals + 1) };
  return separateValue(name, `--${name}`, flag, rest);
}

/** `-Aojson`: switches may stand together; the first flag that takes a value takes the rest of the word. */
function shortFlags(word: string, rest: string[], flags: Flags): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    if (letter === 'h') return [...tokens, { type: 'help' }];
    const found = Object.entries(flags).find(([, flag]) => flag.short === letter);
    if (found === undefined) return [...tokens, { type: 'unknown', name: letter, shown: `-${letter}` }];
    const [name, flag] = found;
    const tail = word.slice(at + 1);
    if (tail.startsWith('=')) return [...tokens, { type: 'flag', name, text: tail.slice(1) }];
    if (flag.kind !== 'boolean') {
      return [
        ...tokens,
        tail === '' ? separateValue(name, `-${letter}`, flag, rest) : { type: 'flag', name, text: tail },
      ];
    }
    tokens.push({ type: 'flag', name, text: 'true' });
  }
  return tokens;
}

/** The value that follows as a word of its own. As in kubectl, whatever follows is the value, even `-x`. */
function separateValue(name: string, shown: string, flag: Flag, rest: string[]): Token {
  if (flag.kind === 'boolean') return { type: 'flag', name, text: 'true' };
  const text = rest.shift();
  return text === undefined ? { type: 'unfinished', name, shown } : { type: 'flag', name, text };
}

/** The positional words, the command's name among them. */
export function wordsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'word' ? [token.text] : []));
}
