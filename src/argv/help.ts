// How help is laid out: examples first, one screen, in the words that a user types.

import type { Command } from '../commands/command.ts';
import { commonFlags } from '../commands/common.ts';
import type { Flag, Flags } from '../commands/flags.ts';

const PROGRAM = 'kubectl ztunnel';

/** Help for one command, or for the program when none is named. Ends with a line break. */
export function renderHelp(command: Command | undefined, commands: readonly Command[]): string {
  return command === undefined ? programHelp(commands) : commandHelp(command);
}

function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return `Shows what every ztunnel of an Istio ambient mesh holds, and who depends on it.

Examples:
${examples(commands.flatMap((command) => command.examples.slice(0, 2)))}

Usage:
  ${PROGRAM} COMMAND [flags]

Commands:
${commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`).join('\n')}

"${PROGRAM} COMMAND --help" shows a command's flags. Flags stand after "ztunnel":
kubectl itself refuses flags before a plugin's name.
`;
}

function commandHelp(command: Command): string {
  const aliases = command.aliases.length === 0 ? '' : `   (also: ${command.aliases.join(', ')})`;
  const own = sections(command.flags, command);
  const common = sections(commonFlags, command);
  return `${command.summary}

Examples:
${examples(command.examples)}

Usage:
  ${PROGRAM} ${command.name} [flags]${aliases}

Flags:
${[...own, ...common].join('\n')}
`;
}

function examples(list: Command['examples']): string {
  const lines = list.map((example) => [`${PROGRAM} ${example.args}`, example.does] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, does]) => `  ${line.padEnd(width)}  # ${does}`).join('\n');
}

function sections(flags: Flags, command: Command): readonly string[] {
  return Object.entries(flags).map(([name, flag]) => flagLine(name, flag, command));
}

function flagLine(name: string, flag: Flag, command: Command): string {
  const short = flag.short === undefined || flag.short === name ? '    ' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` ${flag.value}`;
  return `  ${`${short}--${name}${value}`.padEnd(34)} ${flagSummary(name, flag, command)}`.trimEnd();
}

function flagSummary(name: string, flag: Flag, command: Command): string {
  if (name === 'output') return command.formats.join('|');
  return flag.default === undefined ? flag.summary : `${flag.summary} (${flag.default})`;
}
