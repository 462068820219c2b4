// `version`: which build of the program this is, and what runs it.

import type { About, TextCommand } from '../spec/command.ts';
import { defineFlags } from '../spec/flags.ts';

const flags = defineFlags({
  output: {
    kind: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: ['text', 'json', 'yaml'],
    default: 'text',
    summary: 'text, json or yaml',
    group: 'command',
  },
});

const HEAD = { apiVersion: 'ztunnel.kubectl/v1', kind: 'Version' };

const render: Readonly<Record<string, (about: About) => string>> = {
  text: ({ version, commit, buildDate, runtime, platform }) => {
    const built = [commit ?? 'an unknown commit', ...(buildDate === null ? [] : [buildDate])].join(', ');
    return `kubectl ztunnel ${version}\n${built}\n${runtime}, ${platform}\n`;
  },
  json: (about) => `${JSON.stringify({ ...HEAD, ...about }, null, 4)}\n`,
  // Text in JSON's quotes is YAML.
  yaml: (about) =>
    Object.entries({ ...HEAD, ...about })
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join(''),
};

export const version: TextCommand = {
  name: 'version',
  aliases: [],
  summary: 'Version, commit and build date of this program',
  examples: [
    { args: 'version', does: 'which build this is' },
    { args: 'version -o json', does: 'the same for a program' },
  ],
  flags,
  text: (_words, _commands, { options, about }) => render[String(options.output)]!(about),
};
