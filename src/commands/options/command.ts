// `options`: the flags that all commands share, each with what it is for.

import type { TextCommand } from '../spec/command.ts';
import { commonFlags } from '../spec/common.ts';
import { flagLines, GROUPS, ofGroup, type SharedGroup } from '../spec/flags.ts';

export const options: TextCommand = {
  name: 'options',
  aliases: [],
  summary: 'The flags that all commands share',
  examples: [{ args: 'options', does: 'what each of them is for' }],
  text: () =>
    Object.keys(GROUPS)
      .map((group) => `${GROUPS[group as SharedGroup]}:\n${sectionOf(group as SharedGroup)}\n`)
      .join('\n'),
};

function sectionOf(group: SharedGroup): string {
  return flagLines(ofGroup(commonFlags, group)).join('\n');
}
