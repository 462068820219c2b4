// How a flag is written where people read of it: help, `options` and the README.

import { inColumns } from '../../base/textlayout.ts';
import type { Flag, Flags } from './flags.ts';

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
