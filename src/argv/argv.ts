// How a command line becomes an invocation: a command and its options, or a wish for help.

import parser from 'yargs-parser';
import type { Command, MeshCommand, TextCommand } from '../commands/command.ts';
import { checkExclusive, checkSortable, commonFlags, takenFlags } from '../commands/common.ts';
import { type Flag, type Flags, optionName, parseFlag } from '../commands/flags.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { type Token, tokenize } from './tokens.ts';

/** What the command line asks for. Options are parsed values under their camelCase names. */
export type Invocation =
  | {
      readonly type: 'run';
      readonly command: MeshCommand;
      readonly options: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'text';
      readonly command: TextCommand;
      readonly words: readonly string[];
      readonly options: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'help'; readonly command: Command | undefined };

/** A usage error, with the command it concerns when that much could be read. */
export type ParsedArgv =
  | Invocation
  | { readonly type: 'error'; readonly command: Command | undefined; readonly error: UsageError };

/**
 * Reads the command line the way kubectl's users type it (`-ojson`, `-n=shop`, flags before or after the command).
 * Never throws for what a user can type: a usage error is a value too.
 */
export function parseArgv(argv: readonly string[], commands: readonly Command[]): ParsedArgv {
  let command: Command | undefined;
  try {
    command = findCommand(argv, commands);
    const flags = flagsOf(command);
    const tokens = tokenize(argv, flags, { lenient: false, explain: notTaken(command, commands) });
    if (tokens.some((token) => token.type === 'help')) return { type: 'help', command };
    if (command === undefined) return withoutCommand(tokens, commands);
    const words = readWords(command, tokens);
    if ('text' in command) return { type: 'text', command, words, options: readTextOptions(flags, tokens) };
    return { type: 'run', command, options: readOptions(command, flags, tokens, words) };
  } catch (error) {
    if (error instanceof UsageError) return { type: 'error', command, error };
    throw error;
  }
}

/** All flags of a command, its own after the common ones. */
export function flagsOf(command: Command | undefined): Flags {
  if (command !== undefined && 'text' in command) return command.flags ?? {};
  return { ...takenFlags(command), ...command?.flags };
}

/** A flag that other commands have, and this one has no use for, is not misspelt. */
function notTaken(command: Command | undefined, commands: readonly Command[]) {
  return (shown: string, name: string): UsageError | undefined => {
    if (command === undefined) return undefined;
    const owners = commands.filter(({ flags = {} }) => hasFlag(flags, name)).map((each) => each.name);
    if (owners.length === 0 && !hasFlag(commonFlags, name)) return undefined;
    const hint =
      owners.length === 0
        ? 'See --help for the flags that it has.'
        : `Commands that have it: ${owners.join(', ')}. See --help for the flags of ${command.name}.`;
    return new UsageError(`${command.name} has no flag ${shown}`, hint);
  };
}

function hasFlag(flags: Flags, name: string): boolean {
  return Object.entries(flags).some(([each, { short }]) => each === name || short === name);
}

/** The first word that is no flag and no flag's value. */
function findCommand(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  // Every command's flags take part, because which ones apply is only known once the command is.
  const anyFlag = Object.assign({}, commonFlags, ...commands.map((command) => flagsOf(command))) as Flags;
  const word = tokenize(argv, anyFlag, { lenient: true }).find((token) => token.type === 'word')?.text;
  if (word === undefined) return undefined;
  const found = commands.find((command) => command.name === word || command.aliases.includes(word));
  if (found !== undefined || word === 'help') return found;
  // Behind a mistyped flag the word is its value, which may be a secret: the flag is what is wrong.
  tokenize(argv, anyFlag);
  const guess = nearest(
    word,
    commands.flatMap((command) => [command.name, ...command.aliases]),
  );
  throw new UsageError(
    `there is no command "${word}"`,
    guess === undefined
      ? 'kubectl ztunnel --help lists them.'
      : `Did you mean "${guess}"? kubectl ztunnel --help lists all.`,
  );
}

/** No command: help is what was meant, unless flags say that something was. */
function withoutCommand(tokens: readonly Token[], commands: readonly Command[]): ParsedArgv {
  const words = wordsOf(tokens);
  if (words[0] === 'help') {
    const named = words[1] === undefined ? undefined : findCommand([words[1]], commands);
    return { type: 'help', command: named };
  }
  if (tokens.length === 0) return { type: 'help', command: undefined };
  throw new UsageError('no command was given', 'kubectl ztunnel --help lists them.');
}

/** The words after the command's name. Throws UsageError for too many, too few or unknown ones. */
function readWords(command: Command, tokens: readonly Token[]): readonly string[] {
  const words = wordsOf(tokens).slice(1);
  const { usage = '', least = 0, most = 0, choices } = command.arguments ?? {};
  const usageLine = `Write kubectl ztunnel ${`${command.name} ${usage}`.trim()}.`;
  if (words.length < least)
    throw new UsageError(`${command.name} needs ${usage}`, listed(choices, usageLine));
  const surplus = words[most];
  if (surplus !== undefined) {
    throw most === 0
      ? new UsageError(
          `${command.name} takes no argument, but "${surplus}" was given`,
          'Filter with flags; see --help.',
        )
      : new UsageError(`${command.name} takes ${usage} and no more, but "${surplus}" was given`, usageLine);
  }
  const empty = words.includes('');
  if (empty)
    throw new UsageError(
      `${command.name} was given an empty argument`,
      'Is the variable that it comes from set?',
    );
  const unknown = choices && words.find((word) => !choices.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${command.name} can't be given "${unknown}"`, listed(choices, usageLine));
  return words;
}

function listed(choices: readonly string[] | undefined, otherwise: string): string {
  return choices === undefined ? otherwise : `It is one of: ${choices.join(', ')}.`;
}

function wordsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.type === 'word' ? [token.text] : []));
}

/** The options of a command that has only flags of its own. */
function readTextOptions(flags: Flags, tokens: readonly Token[]): Readonly<Record<string, unknown>> {
  checkEmptyValues(flags, tokens);
  const given = parseGiven(flags, tokens);
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [optionName(name), optionValue(name, flag, given.get(name))]),
  );
}

function readOptions(
  command: MeshCommand,
  flags: Flags,
  tokens: readonly Token[],
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  checkEmptyValues(flags, tokens);
  const given = parseGiven(flags, tokens);
  checkExclusive(new Set(given.keys()));
  const options: Record<string, unknown> = Object.create(null);
  options.words = words;
  // What a command does not take is as if it was not given.
  for (const [name, flag] of Object.entries<Flag>({ ...commonFlags, ...flags })) {
    options[optionName(name)] = optionValue(name, withFormats(name, flag, command), given.get(name));
  }
  checkSortable(options as { output: string | undefined; sortBy: string | undefined });
  command.check?.(options as never);
  return options;
}

/** An empty value is that of an unset variable: `-n ""` means none, as in kubectl, but `-f ""` can only be a mistake. */
function checkEmptyValues(flags: Flags, tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'flag' || token.text !== '' || mayBeEmpty(token.name, flags[token.name]!)) continue;
    throw new UsageError(
      `--${token.name} was given an empty value`,
      'Is the variable that it comes from set?',
    );
  }
}

/** Where kubectl takes an empty value for none: namespaces, and which cluster is asked as whom. */
function mayBeEmpty(name: string, { kind, group }: Flag): boolean {
  return kind === 'string' && (group === 'connection' || name.endsWith('namespace'));
}

/** Flag name → the texts given for it, by yargs' parser. The tokens are canonical already (`--name=value`). */
function parseGiven(flags: Flags, tokens: readonly Token[]): ReadonlyMap<string, readonly string[]> {
  const names = Object.keys(flags);
  const args = tokens.flatMap((token) => (token.type === 'flag' ? [`--${token.name}=${token.text}`] : []));
  const { argv } = parser.detailed(args, {
    array: names,
    string: names,
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
    },
  });
  return new Map(names.flatMap((name) => (argv[name] === undefined ? [] : [[name, argv[name] as string[]]])));
}

/** `--output` can be what the command has. */
function withFormats(name: string, flag: Flag, command: MeshCommand): Flag {
  return name === 'output' ? { ...flag, choices: command.formats, default: command.formats[0]! } : flag;
}

function optionValue(name: string, flag: Flag, texts: readonly string[] | undefined): unknown {
  if (flag.kind === 'strings') return (texts ?? []).flatMap((text) => parseFlag(name, flag, text));
  const text = texts?.at(-1) ?? flag.default ?? (flag.kind === 'boolean' ? 'false' : undefined);
  return text === undefined ? undefined : parseFlag(name, flag, text);
}
