// How yargs validates a command line, and what is said of flags that it does not know.

import yargs from 'yargs';
import { messageOf, UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Command } from '../../commands/spec/command.ts';
import { commonFlags, exclusive, flagsOf } from '../../commands/spec/common.ts';
import type { Flags } from '../../commands/spec/flags.ts';
import { type Token, wordsOf } from './tokens.ts';

/** The texts given for each flag. */
export type Given = Readonly<Record<string, readonly string[]>>;

interface Validated {
  readonly given: Given;
  readonly words: readonly string[];
}

/** What yargs makes of canonical words, with its findings in our own sentences. Throws UsageError. */
export function validate(
  command: Command,
  flags: Flags,
  tokens: readonly Token[],
  commands: readonly Command[],
): Validated {
  // The directory is where yargs would look for settings; it may be gone.
  const parser = yargs([], '/')
    .detectLocale(false)
    .help(false)
    .version(false)
    .exitProcess(false)
    .parserConfiguration(CONFIGURATION)
    .strictOptions()
    .fail((message) => {
      throw new Error(message);
    });
  // yargs takes 0.1 ms over each flag that it knows, and nothing is to be said of those that were not typed.
  const typed = new Set(tokens.flatMap((token) => ('name' in token ? [token.name] : [])));
  const names = Object.keys(flags).filter((name) => typed.has(name));
  parser.array(names).string(names).requiresArg(names);
  for (const [left, right] of exclusive)
    if (typed.has(left) && typed.has(right)) parser.conflicts(left, right);
  // Of two findings yargs names this one first, which misleads where --contexts is what is wrong.
  if (typed.has('resources') && !typed.has('contexts')) parser.implies('resources', 'file');
  const { least = 0, most = 0 } = command.arguments ?? {};
  parser.demandCommand(least, Number.isFinite(most) ? most : Number.MAX_SAFE_INTEGER, TOO_FEW, TOO_MANY);
  try {
    const { _: words, ...given } = parser.parseSync(canonical(tokens)) as unknown as Given & { _: string[] };
    checkWords(command, words);
    return { given, words };
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw explain(messageOf(thrown), { command, tokens, flags, commands });
  }
}

const CONFIGURATION = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'greedy-arrays': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'short-option-groups': false,
};

/** Our tokenizer's reading, spelt as yargs reads it alike: every flag in full with its value, then the words. */
function canonical(tokens: readonly Token[]): readonly string[] {
  const flags = tokens.flatMap((token) => {
    if (token.type === 'flag') return [`--${token.name}=${token.text}`];
    if (token.type === 'unfinished') return [`--${token.name}`];
    return token.type === 'unknown' ? [`--${token.name}`] : [];
  });
  return [...flags, '--', ...wordsOf(tokens).slice(1)];
}

const UNSET = 'Is the variable that it comes from set?';

function checkWords(command: Command, words: readonly string[]): void {
  if (words.includes('')) throw new UsageError(`${command.name} was given an empty argument`, UNSET);
  const { choices } = command.arguments ?? {};
  const unknown = choices && words.find((word) => !choices.includes(word));
  if (unknown !== undefined)
    throw new UsageError(`${command.name} can't be given "${unknown}"`, choicesOf(command));
}

function choicesOf(command: Command): string {
  const { choices } = command.arguments ?? {};
  return choices === undefined ? usageOf(command) : `It is one of: ${choices.join(', ')}.`;
}

function usageOf(command: Command): string {
  return `Write kubectl ztunnel ${`${command.name} ${command.arguments?.usage ?? ''}`.trim()}.`;
}

/** What a finding of yargs is about. */
interface Finding {
  readonly command: Command;
  readonly tokens: readonly Token[];
  readonly flags: Flags;
  readonly commands: readonly Command[];
}

const TOO_FEW = 'too few words';
const TOO_MANY = 'too many words';

/** The finding in our words. Throws what is no finding of those below, which is a bug. */
function explain(message: string, finding: Finding): UsageError {
  // An unknown flag's value is taken for a word, so that it is what matters most.
  refuseUnknown(finding.tokens, finding.commands, finding.command);
  for (const [pattern, explained] of FINDINGS) {
    const match = pattern.exec(message);
    if (match !== null) return explained(finding, match.slice(1));
  }
  throw new Error(`yargs finds what is not expected: ${message}`);
}

/** By yargs' own English sentences; the first two are those given to it here. */
const FINDINGS: readonly (readonly [
  pattern: RegExp,
  explained: (finding: Finding, names: readonly string[]) => UsageError,
])[] = [
  [
    new RegExp(`^${TOO_FEW}$`),
    ({ command }) =>
      new UsageError(`${command.name} needs ${command.arguments?.usage ?? ''}`, choicesOf(command)),
  ],
  [new RegExp(`^${TOO_MANY}$`), tooMany],
  [/^Not enough arguments following/, unfinished],
  [
    /^Arguments (\S+) and (\S+) are mutually exclusive$/,
    (_, [left, right]) =>
      new UsageError(`--${left} and --${right} exclude each other`, 'Leave one of them out.'),
  ],
  [
    /^(?:Missing dependent arguments|Implications failed):/,
    () =>
      new UsageError(
        '--resources needs --file: a live mesh is asked for its own objects',
        'Add -f with a saved config dump, or leave --resources out.',
      ),
  ],
];

function tooMany({ command, tokens }: Finding): UsageError {
  const { most = 0, usage = '' } = command.arguments ?? {};
  const surplus = wordsOf(tokens).slice(1)[most];
  return most === 0
    ? new UsageError(
        `${command.name} takes no argument, but "${surplus}" was given`,
        'Filter with flags; see --help.',
      )
    : new UsageError(
        `${command.name} takes ${usage} and no more, but "${surplus}" was given`,
        usageOf(command),
      );
}

function unfinished({ tokens, flags }: Finding): UsageError {
  const { shown, name } = tokens.find(({ type }) => type === 'unfinished') as Extract<
    Token,
    { type: 'unfinished' }
  >;
  return new UsageError(`${shown} needs a value`, `Write ${shown} ${flags[name]?.value ?? 'VALUE'}.`);
}

/** Throws UsageError for the first of them. */
export function refuseUnknown(
  tokens: readonly Token[],
  commands: readonly Command[],
  command: Command | undefined,
): void {
  if (tokens.some(({ type }) => type === 'unknown')) throw unknownFlag(tokens, commands, command);
}

/** A flag that other commands have, and this one has no use for, is not misspelt. */
function unknownFlag(
  tokens: readonly Token[],
  commands: readonly Command[],
  command: Command | undefined,
): UsageError {
  const { shown, name } = tokens.find(({ type }) => type === 'unknown') as Extract<
    Token,
    { type: 'unknown' }
  >;
  const owners = commands.filter(({ flags = {} }) => hasFlag(flags, name)).map((each) => each.name);
  if (command !== undefined && (owners.length > 0 || hasFlag(commonFlags, name))) {
    const hint =
      owners.length === 0
        ? 'See --help for the flags that it has.'
        : `Commands that have it: ${owners.join(', ')}. See --help for the flags of ${command.name}.`;
    return new UsageError(`${command.name} has no flag ${shown}`, hint);
  }
  const known =
    command === undefined ? Object.assign({}, commonFlags, ...commands.map(flagsOf)) : flagsOf(command);
  const guess = nearest(name, Object.keys(known));
  return new UsageError(
    `there is no flag ${shown}`,
    guess === undefined ? 'See --help for the flags.' : `Did you mean --${guess}? See --help for the flags.`,
  );
}

function hasFlag(flags: Flags, name: string): boolean {
  return Object.entries(flags).some(([each, { short }]) => each === name || short === name);
}
