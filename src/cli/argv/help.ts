// How help is laid out: examples first, one screen, in the words that a user types.

import { inColumns, SCREEN_WIDTH, withComments, wrapItems } from '../../base/text.ts';
import type { Command, MeshCommand } from '../../commands/spec/command.ts';
import { takenFlags } from '../../commands/spec/common.ts';
import { compactName, flagLines, GROUPS, ofGroup, type SharedGroup } from '../../commands/spec/flags.ts';
import { formatsOf } from '../../printers/formats.ts';

const PROGRAM = 'kubectl ztunnel';
/** So many commands give an example for the whole program. */
const SHOWN_EXAMPLES = 7;

/** Help for one command, or for the program when none is named. Ends with a line break. */
export function renderHelp(command: Command | undefined, commands: readonly Command[]): string {
  return command === undefined ? programHelp(commands) : commandHelp(command);
}

function programHelp(commands: readonly Command[]): string {
  return `Shows what every ztunnel of an Istio ambient mesh holds, and who depends on it.

Examples:
${examples(commands.slice(0, SHOWN_EXAMPLES).flatMap((command) => command.examples.slice(0, 1)))}

Usage:  ${PROGRAM} COMMAND [flags]

Commands:
${inColumns(
  commands.map(({ name, summary }) => [name, summary]),
  SCREEN_WIDTH,
).join('\n')}

"${PROGRAM} COMMAND --help" shows a command's flags. They stand after
"ztunnel": kubectl itself refuses flags before a plugin's name.
`;
}

function commandHelp(command: Command): string {
  const usage = [PROGRAM, command.name, command.arguments?.usage, hasFlags(command) ? '[flags]' : undefined];
  const parts = [
    command.summary,
    '',
    'Examples:',
    examples(command.examples),
    '',
    `Usage:  ${usage.filter(Boolean).join(' ')}`,
    ...(command.aliases.length === 0 ? [] : [`        also: ${command.aliases.join(', ')}`]),
    ...(command.arguments?.completes === 'target' ? TARGET_HELP : []),
    ...('views' in command ? flagHelp(command) : ownFlagHelp(command)),
  ];
  return `${parts.join('\n')}\n`;
}

const TARGET_HELP = [
  '        TARGET: [TYPE/]NAME[.NAMESPACE] or spiffe://…; TYPE: pod (if left out),',
  '        node, deployment, statefulset, daemonset, job, cronjob or serviceaccount',
];

function hasFlags(command: Command): boolean {
  return 'views' in command || command.flags !== undefined;
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

/** A larger group is `options`' to tell. */
const MOST_NAMED = 10;

function groupLines(group: SharedGroup, command: MeshCommand): readonly string[] {
  const names = Object.entries(ofGroup(takenFlags(command), group)).map(([name, flag]) => {
    if (name === 'output') return `-o/--output ${formatsOf(command.views).join('|')}`;
    return compactName(name, flag);
  });
  // They are kubectl's own, and many.
  const shown = names.length > MOST_NAMED ? [...names.slice(0, 2), "and kubectl's others"] : names;
  const label = `${GROUPS[group]}:`.padEnd(13);
  return wrapItems(shown, SCREEN_WIDTH - label.length).map(
    (line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${line}`,
  );
}

function examples(list: Command['examples']): string {
  return withComments(list.map(({ args, does }) => [`${PROGRAM} ${args}`, does])).join('\n');
}
