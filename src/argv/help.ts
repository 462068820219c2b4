// How help is laid out: examples first, one screen, in the words that a user types.

import type { Command, MeshCommand } from '../commands/command.ts';
import { commonFlags } from '../commands/common.ts';
import type { Flags } from '../commands/flags.ts';
import { compactName, flagLines, GROUPS, ofGroup, type SharedGroup } from '../commands/flagtext.ts';

const PROGRAM = 'kubectl ztunnel';
const WIDTH = 80;
/** So many commands give an example for the whole program. */
const SHOWN_EXAMPLES = 7;

/** Help for one command, or for the program when none is named. Ends with a line break. */
export function renderHelp(command: Command | undefined, commands: readonly Command[]): string {
  return command === undefined ? programHelp(commands) : commandHelp(command);
}

function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return `Shows what every ztunnel of an Istio ambient mesh holds, and who depends on it.

Examples:
${examples(commands.slice(0, SHOWN_EXAMPLES).flatMap((command) => command.examples.slice(0, 1)))}

Usage:
  ${PROGRAM} COMMAND [flags]

Commands:
${commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`).join('\n')}

"${PROGRAM} COMMAND --help" shows a command's flags. Flags stand after "ztunnel":
kubectl itself refuses flags before a plugin's name.
`;
}

function commandHelp(command: Command): string {
  const also = command.aliases.length === 0 ? '' : `   (also: ${command.aliases.join(', ')})`;
  const usage = [PROGRAM, command.name, command.arguments?.usage, hasFlags(command) ? '[flags]' : undefined];
  const parts = [
    command.summary,
    '',
    'Examples:',
    examples(command.examples),
    '',
    'Usage:',
    `  ${usage.filter(Boolean).join(' ')}${also}`,
    ...(command.arguments?.completes === 'target' ? TARGET_HELP : []),
    ...('run' in command ? flagHelp(command) : ownFlagHelp(command)),
  ];
  return `${parts.join('\n')}\n`;
}

const TARGET_HELP = [
  '  TARGET is [TYPE/]NAME[.NAMESPACE] or spiffe://…; TYPE is pod (if left out), node,',
  '  deployment, statefulset, daemonset, job, cronjob or serviceaccount.',
];

function hasFlags(command: Command): boolean {
  return 'run' in command || command.flags !== undefined;
}

function ownFlagHelp({ flags = {} }: Command): readonly string[] {
  const own = flagLines(flags);
  return own.length === 0 ? [] : ['', 'Flags:', ...own];
}

/** The command's own flags in full; those that all commands have by name, in as few lines as they take. */
function flagHelp(command: MeshCommand): readonly string[] {
  const own = ownFlagHelp(command);
  return [
    ...own,
    '',
    ...Object.keys(GROUPS).flatMap((group) => groupLines(group as SharedGroup, command)),
    `"${PROGRAM} options" says what ${own.length === 0 ? 'these' : 'the last groups'} are for.`,
  ];
}

function groupLines(group: SharedGroup, command: MeshCommand): readonly string[] {
  const names = Object.entries(ofGroup(commonFlags as Flags, group)).map(([name, flag]) => {
    if (name === 'output') return `-o/--output ${command.formats.join('|')}`;
    // They are kubectl's own, and many.
    return group === 'connection'
      ? compactName(name, { ...flag, value: '' }).trimEnd()
      : compactName(name, flag);
  });
  const label = `${GROUPS[group]}:`.padEnd(13);
  return wrapped(names, WIDTH - label.length).map(
    (line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}`,
  );
}

/** Items two spaces apart, none of them divided. */
function wrapped(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + item.length > width) lines.push(item);
    else lines[lines.length - 1] = `${last}  ${item}`;
  }
  return lines;
}

function examples(list: Command['examples']): string {
  const lines = list.map((example) => [`${PROGRAM} ${example.args}`, example.does] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, does]) => `  ${line.padEnd(width)}  # ${does}`).join('\n');
}
