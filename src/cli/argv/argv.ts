// How a command line becomes an invocation: a command and its options, or a wish for help.

import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Command, MeshCommand, TextCommand } from '../../commands/spec/command.ts';
import { checkSortable, commonFlags, flagsOf } from '../../commands/spec/common.ts';
import { type Flag, type Flags, optionName, parseFlag } from '../../commands/spec/flags.ts';
import { formatsOf } from '../../printers/formats.ts';
import { type Token, tokenize, wordsOf } from './tokens.ts';
import { type Given, refuseUnknown, validate } from './validate.ts';

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
  // Every command's flags take part in telling words from values, as the command is not known before.
  const anyFlag = Object.assign({}, commonFlags, ...commands.map((command) => flagsOf(command))) as Flags;
  const [first] = wordsOf(tokenize(argv, anyFlag));
  const command = commands.find(({ name, aliases }) => name === first || aliases.includes(first ?? ''));
  const tokens = tokenize(argv, command === undefined ? anyFlag : flagsOf(command));
  try {
    if (command === undefined) return withoutCommand(tokens, commands);
    return parseWith(command, tokens, commands);
  } catch (error) {
    if (error instanceof UsageError) return { type: 'error', command, error };
    throw error;
  }
}

/** No command, or none of that name: help is what was wanted, unless flags say that something was. */
function withoutCommand(tokens: readonly Token[], commands: readonly Command[]): ParsedArgv {
  const [word, topic] = wordsOf(tokens);
  if (word !== undefined && word !== 'help') {
    // Behind a mistyped flag the word is its value, which may be a secret: the flag is what is wrong.
    refuseUnknown(tokens, commands, undefined);
    const names = commands.flatMap(({ name, aliases }) => [name, ...aliases]);
    const guess = nearest(word, names);
    throw new UsageError(
      `there is no command "${word}"`,
      guess === undefined
        ? 'kubectl ztunnel --help lists them.'
        : `Did you mean "${guess}"? kubectl ztunnel --help lists all.`,
    );
  }
  refuseUnknown(tokens, commands, undefined);
  if (topic !== undefined) {
    const parsed = parseArgv([topic], commands);
    return parsed.type === 'error' && parsed.command === undefined
      ? parsed
      : { type: 'help', command: parsed.command };
  }
  if (word === 'help' || tokens.length === 0 || tokens.some(({ type }) => type === 'help')) {
    return { type: 'help', command: undefined };
  }
  throw new UsageError('no command was given', 'kubectl ztunnel --help lists them.');
}

function parseWith(command: Command, tokens: readonly Token[], commands: readonly Command[]): ParsedArgv {
  if (tokens.some(({ type }) => type === 'help')) {
    refuseUnknown(tokens, commands, command);
    return { type: 'help', command };
  }
  const flags = flagsOf(command);
  const { given, words } = validate(command, flags, tokens, commands);
  if ('text' in command) return { type: 'text', command, words, options: valuesOf(flags, given) };
  // What a command does not take is as if it was not given.
  const options = { words, ...valuesOf(withFormats({ ...commonFlags, ...flags }, command), given) };
  checkSortable(options as unknown as Parameters<typeof checkSortable>[0]);
  command.check?.(options as never);
  return { type: 'run', command, options };
}

/** The value of each flag by its option's name; its default where it was not given. Throws UsageError. */
function valuesOf(flags: Flags, given: Given): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [optionName(name), readValue(name, flag, given[name])]),
  );
}

/** Of a flag with one value that is given several times the last counts, as in kubectl. */
function readValue(name: string, flag: Flag, texts: readonly string[] | undefined): unknown {
  for (const text of texts ?? []) checkEmpty(name, flag, text);
  if (flag.kind === 'strings') return (texts ?? []).flatMap((text) => parseFlag(name, flag, text));
  const last = texts?.at(-1) ?? flag.default ?? (flag.kind === 'boolean' ? 'false' : '');
  // kubectl takes an empty namespace or context for none.
  return last === '' ? undefined : parseFlag(name, flag, last);
}

/** `--output` can be what the command has. */
function withFormats(flags: Flags, command: MeshCommand): Flags {
  const { output } = flags;
  if (output === undefined) return flags;
  const choices = formatsOf(command.views);
  return { ...flags, output: { ...output, choices, default: command.defaultFormat ?? choices[0]! } };
}

/** An empty value is that of an unset variable: `-n ""` means none, as in kubectl, but `-f ""` can only be a mistake. */
function checkEmpty(name: string, { kind, group }: Flag, text: string): void {
  // Where kubectl takes an empty value for none: namespaces, and which cluster is asked as whom.
  const mayBeEmpty = kind === 'string' && (group === 'connection' || name.endsWith('namespace'));
  if (text !== '' || mayBeEmpty) return;
  throw new UsageError(`--${name} was given an empty value`, 'Is the variable that it comes from set?');
}
