// How a command states its flags, what their values become, and how help shows them.

import { parseDuration, parseWarnWithin, type WarnWithin } from '../../base/duration.ts';
import { UsageError } from '../../base/errors.ts';
import { inColumns } from '../../base/text.ts';

/** The values that each kind of flag yields. Durations are milliseconds. */
interface FlagValues {
  readonly boolean: boolean;
  readonly string: string;
  readonly strings: readonly string[];
  readonly integer: number;
  readonly duration: number;
  /** As kubectl's --request-timeout: a plain number is seconds, and 0 is no bound. */
  readonly bound: number;
  readonly time: Date;
  readonly within: WarnWithin;
}
export type FlagKind = keyof FlagValues;

/** One flag as data: argv, help, completion and the tables of docs/commands.md are made of it. */
export interface Flag {
  readonly kind: FlagKind;
  readonly summary: string;
  /** One letter. */
  readonly short?: string;
  /** What stands for the value in help: `FILE`, `DURATION`. */
  readonly value?: string;
  /** As it would be typed. */
  readonly default?: string;
  /** The only values allowed; compared without case, as given here. A list may be separated by commas. */
  readonly choices?: readonly string[];
  /** Of a list whose values hold no comma: they may be separated by one, as from a fixed set they always may. */
  readonly separated?: boolean;
  /** Bounds of an integer; 1 and 1e9 unless told. */
  readonly range?: readonly [least: number, most: number];
  readonly group: 'command' | 'output' | 'input' | 'ztunnel' | 'connection';
}
export type Flags = Readonly<Record<string, Flag>>;

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S;
type ValueOf<F extends Flag> = F['kind'] extends 'boolean' | 'strings'
  ? FlagValues[F['kind']]
  : F extends { readonly default: string }
    ? FlagValues[F['kind']]
    : FlagValues[F['kind']] | undefined;

/** The options that a set of flags yields: `warn-within` becomes `warnWithin`. */
export type OptionsOf<F extends Flags> = { readonly [K in keyof F & string as Camel<K>]: ValueOf<F[K]> };

/** Keeps the literal types of a set of flags. */
export function defineFlags<const F extends Flags>(flags: F): F {
  return flags;
}

/** `warn-within` → `warnWithin`. */
export function optionName(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function parseInteger(text: string, name: string, flag: Flag): number {
  const [least, most] = flag.range ?? [1, 1e9];
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} needs a whole number from ${least} to ${most}, not "${text}"`,
    flag.default === undefined ? '' : `Its default is ${flag.default}.`,
  );
}

/** JavaScript takes 30 February for 2 March. */
function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

function parseTime(text: string, flag: string): Date {
  const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
  const day = rfc3339.exec(text)?.[1];
  const time = new Date(day === undefined ? Number.NaN : text);
  if (Number.isNaN(time.getTime()) || !isDay(day!)) {
    throw new UsageError(
      `--${flag} needs an RFC 3339 time, not "${text}"`,
      `Write it like --${flag} 2026-11-29T22:03:42Z.`,
    );
  }
  return time;
}

/** The grammar is model's; only here is it known which flag the text was for. */
function parseNamed<T>(name: string, needs: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`--${name} needs ${needs}, not "${text}"`, error.hint, { cause: error });
  }
}

/** What a timer takes: it would run out at once after any longer time. */
const LONGEST_MS = 24 * 24 * 60 * 60 * 1000;

function boundDuration(milliseconds: number, text: string, name: string): number {
  if (milliseconds <= LONGEST_MS) return milliseconds;
  throw new UsageError(`--${name} can be 24d at most, not "${text}"`, 'Write it like 15s, 2m or 1h30m.');
}

function parsePositiveDuration(text: string, name: string): number {
  const seconds = parseNamed(name, 'a duration', text, parseDuration);
  if (seconds > 0) return boundDuration(seconds * 1000, text, name);
  throw new UsageError(
    `--${name} needs a duration above 0, not "${text}"`,
    'Write it like 15s, 2m or 1h30m.',
  );
}

function parseBound(text: string, name: string): number {
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : parseNamed(name, 'a duration, or 0 for none', text, parseDuration);
  return boundDuration(seconds * 1000, text, name);
}

function parseShare(text: string, name: string): WarnWithin {
  return parseNamed(name, 'a duration or a percentage of the lifetime', text, parseWarnWithin);
}

function matchChoice(text: string, name: string, flag: Flag): string {
  const choices = flag.choices;
  if (choices === undefined) return text;
  const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw new UsageError(`--${name} can't be "${text}"`, `It is one of: ${choices.join(', ')}.`);
}

/** A list that may go on after a comma. */
export function isSeparated({ choices, separated = choices !== undefined }: Flag): boolean {
  return separated;
}

/** Text → value, by kind. Each throws a UsageError that names the flag. */
const parsers = {
  boolean: (text, flag) => {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`--${flag} is true or false, not "${text}"`, 'Leave the value out to set it.');
  },
  string: matchChoice,
  // A file's name may hold a comma; a word from a fixed set can't.
  strings: (text, name, flag) =>
    isSeparated(flag) ? text.split(',').map((part) => matchChoice(part, name, flag)) : [text],
  integer: parseInteger,
  duration: parsePositiveDuration,
  bound: parseBound,
  time: parseTime,
  within: parseShare,
} satisfies { [K in FlagKind]: (text: string, name: string, flag: Flag) => FlagValues[K] };

/** One flag's text as its value. Throws UsageError naming the flag. */
export function parseFlag(name: string, flag: Flag, text: string): FlagValues[FlagKind] {
  return parsers[flag.kind](text, name, flag);
}

/** The groups of flags that all commands share, in the order in which they are shown. */
export const GROUPS = {
  output: 'Output',
  input: 'Input',
  ztunnel: 'Ztunnels',
  connection: 'Connection',
} as const satisfies Partial<Record<Flag['group'], string>>;
export type SharedGroup = keyof typeof GROUPS;

/** `-o, --output FORMAT`; without a short form it is indented to where the long one begins. */
export function fullName(name: string, flag: Flag): string {
  const short = shortOf(name, flag);
  return `${short === undefined ? '    ' : `${short}, `}--${name}${valueText(flag)}`;
}

/** `-o/--output FORMAT`. */
export function compactName(name: string, flag: Flag): string {
  const short = shortOf(name, flag);
  return `${short === undefined ? '' : `${short}/`}--${name}${valueText(flag)}`;
}

/** What it is for, and its default. */
export function describeFlag(flag: Flag): string {
  return flag.default === undefined ? flag.summary : `${flag.summary} (${flag.default})`;
}

/** A longer one has what it is for below it. */
const LONGEST_NAME = 34;

/** One line each, more where that is too long: names, and what they are for from a column that all lines share. */
export function flagLines(flags: Flags): readonly string[] {
  const rows = Object.entries(flags).map(
    ([name, flag]) => [fullName(name, flag), describeFlag(flag)] as const,
  );
  return inColumns(rows, LONGEST_NAME);
}

/** The flags of one group. */
export function ofGroup(flags: Flags, group: Flag['group']): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, flag]) => flag.group === group));
}

/** A flag of one letter has no other short form. */
function shortOf(name: string, { short }: Flag): string | undefined {
  return short === undefined || short === name ? undefined : `-${short}`;
}

function valueText({ value }: Flag): string {
  return value === undefined ? '' : ` ${value}`;
}
