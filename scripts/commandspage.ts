// How the generated part of docs/commands.md follows from the table of commands.

import { withComments } from '../src/base/text.ts';
import { commands } from '../src/commands/index.ts';
import type { Command } from '../src/commands/spec/command.ts';
import { commonFlags, flagsOf } from '../src/commands/spec/common.ts';
import {
  compactName,
  describeFlag,
  type Flags,
  GROUPS,
  ofGroup,
  type SharedGroup,
} from '../src/commands/spec/flags.ts';
import { formatsOf } from '../src/printers/formats.ts';

const BEGIN = '<!-- commands: made by `npm run docs` -->';
const END = '<!-- /commands -->';

/** The page with what follows from the commands as they are now. Throws where it has no place for that. */
export function withCommands(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) {
    throw new Error(`docs/commands.md needs a line ${BEGIN} and a later line ${END}`);
  }
  return `${page.slice(0, begin + BEGIN.length)}\n\n${renderCommands()}\n${page.slice(end)}`;
}

/** All commands in a table, each with examples and flags, then the flags that all share, by group. */
function renderCommands(): string {
  const overview = commands.map(({ name, aliases, summary }) => [
    `[\`${name}\`](#${name})`,
    summary,
    aliases.map(code).join(', '),
  ]);
  const shared = Object.keys(GROUPS).map((group) => sharedTable(group as SharedGroup));
  return [
    table(['command', 'what for', 'also'], overview),
    ...commands.map(section),
    '## Flags of all commands that read a mesh\n',
    ...shared,
  ].join('\n');
}

function section(command: Command): string {
  const examples = command.examples.map(({ args, does }) => [`kubectl ztunnel ${args}`, does] as const);
  const usage = ['kubectl ztunnel', command.name, command.arguments?.usage].filter(Boolean).join(' ');
  return [
    `### ${command.name}\n`,
    `${command.summary}. Usage: \`${usage}\`${formats(command)}.\n`,
    `\`\`\`sh\n${unindented(withComments(examples))}\n\`\`\`\n`,
    ...ownFlags(command),
  ].join('\n');
}

function formats(command: Command): string {
  if (!('views' in command)) return '';
  return `; formats: ${formatsOf(command.views).map(code).join(', ')}`;
}

/** Those that it has alone, or with another meaning than others. */
function ownFlags(command: Command): readonly string[] {
  const shared: Flags = commonFlags;
  const rows = Object.entries(flagsOf(command))
    .filter(([name, flag]) => shared[name] !== flag)
    .map(([name, flag]) => [code(compactName(name, flag)), describeFlag(flag)]);
  return rows.length === 0 ? [] : [table(['flag', 'what for'], rows)];
}

function sharedTable(group: SharedGroup): string {
  const rows = Object.entries(ofGroup(commonFlags as Flags, group)).map(([name, flag]) => [
    code(compactName(name, flag)),
    describeFlag(flag),
    asking
      .filter((command) => flagsOf(command)[name] !== flag)
      .map((command) => code(command.name))
      .join(', '),
  ]);
  const head = [GROUPS[group].toLowerCase(), 'what for', 'but not'];
  // A column that says nothing is left out.
  const width = rows.every(([, , exceptions]) => exceptions === '') ? 2 : 3;
  return table(
    head.slice(0, width),
    rows.map((cells) => cells.slice(0, width)),
  );
}

/** Those that take none of these flags read no mesh. */
const asking = commands.filter((command) => Object.hasOwn(flagsOf(command), 'kubeconfig'));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function unindented(lines: readonly string[]): string {
  return lines.map((line) => line.trimStart()).join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
