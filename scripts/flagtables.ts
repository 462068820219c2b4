// How README's tables of flags follow from the table of commands.

import { commands } from '../src/commands/index.ts';
import { commonFlags, flagsOf } from '../src/commands/spec/common.ts';
import {
  compactName,
  describeFlag,
  type Flags,
  GROUPS,
  ofGroup,
  type SharedGroup,
} from '../src/commands/spec/flags.ts';

const BEGIN = '<!-- flags: made by `npm run docs` -->';
const END = '<!-- /flags -->';

/** A README with its tables as the commands have them now. Throws where it has no place for them. */
export function withFlagTables(readme: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md needs a line ${BEGIN} and a later line ${END}`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${renderFlagTables()}\n${readme.slice(end)}`;
}

/** The flags of each command, then those that all share, by group. */
function renderFlagTables(): string {
  const own = commands.flatMap((command) => {
    const shared: Flags = commonFlags;
    // One that means something else to a command is its own.
    const flags = Object.entries(flagsOf(command)).filter(([name, flag]) => shared[name] !== flag);
    return flags.map(([name, flag]) => [
      `\`${command.name}\``,
      code(compactName(name, flag)),
      describeFlag(flag),
    ]);
  });
  const shared = Object.keys(GROUPS).map((group) => sharedTable(group as SharedGroup));
  return [table(['command', 'flag', 'what for'], own), ...shared].join('\n');
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
  const head = [`${GROUPS[group].toLowerCase()}, all that ask a mesh`, 'what for', 'but not'];
  // A column that says nothing is left out.
  const width = rows.every(([, , exceptions]) => exceptions === '') ? 2 : 3;
  return table(
    head.slice(0, width),
    rows.map((cells) => cells.slice(0, width)),
  );
}

/** Those that go by none of these flags have none of them. */
const asking = commands.filter((command) => Object.hasOwn(flagsOf(command), 'kubeconfig'));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}
