// `log`: the log levels of ztunnels, shown or set. The only command that changes anything.

import { parseLevels } from '../../model/ztunnels/loglevel.ts';
import { defineCommand } from '../spec/command.ts';
import { type CommonOptions, takesAllBut } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { TARGET } from '../spec/sharedflags.ts';

const flags = defineFlags({
  level: {
    kind: 'string',
    value: '[LOGGER:]LEVEL,…',
    summary: 'Set levels: trace, debug, info, warning, error, critical, off',
    group: 'command',
  },
  reset: { kind: 'boolean', short: 'r', summary: 'Go back to the levels it started with', group: 'command' },
  yes: {
    kind: 'boolean',
    short: 'y',
    summary: 'Change several ztunnels without a question',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

/** What is saved has no log levels, and owners have no part in them. */
const NOT_TAKEN = ['file', 'resources', 'no-owners'] as const;

export const log = defineCommand({
  name: 'log',
  load: () => import('./run.ts'),
  aliases: ['o'],
  summary: 'Show or set log levels',
  examples: [
    { args: 'log', does: 'the levels of every ztunnel' },
    { args: 'log deployment/web --level debug', does: 'where its pods run' },
    { args: 'log --level ztunnel::proxy:trace,info --yes', does: 'one logger, on all of them' },
    { args: 'log --reset --yes', does: 'back to normal' },
  ],
  arguments: TARGET,
  flags,
  takes: takesAllBut(NOT_TAKEN),
  views: ['table', 'short', 'document'],
  check: ({ level }) => {
    if (level !== undefined) parseLevels(level);
  },
});
