// What is said of a flag that is none of a command's.

import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Command } from '../../commands/spec/command.ts';
import { commonFlags, flagsOf } from '../../commands/spec/common.ts';
import type { Flags } from '../../commands/spec/flags.ts';
import type { Token } from './tokens.ts';

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
