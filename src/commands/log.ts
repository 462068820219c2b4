// `log`: the log levels of ztunnels, shown or set. The only command that changes anything.

import { UsageError } from '../errors.ts';
import { formatLevels, parseLevels } from '../model/loglevel.ts';
import type { Report } from '../printers/printer.ts';
import { collectLevels, type LogRequest } from './ask/loglevels.ts';
import { narrowScope } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { type CommandContext, defineCommand } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { logReport } from './rows/logreport.ts';
import { TARGET } from './target.ts';

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
type Options = OptionsOf<typeof flags> & CommonOptions;

export const log = defineCommand({
  name: 'log',
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
  formats: ['table', 'short', 'json', 'yaml'],
  check: checkOptions,
  run,
});

function checkOptions(options: Options): void {
  if (options.file.length > 0) {
    throw new UsageError(
      'log and --file exclude each other: a saved dump has no log levels',
      'Leave --file out to ask a live mesh.',
    );
  }
  if (options.level !== undefined) parseLevels(options.level);
}

async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context } = await narrowScope(given, outer);
  const collected = await collectLevels(requestOf(options), options, context);
  yield logReport({
    ...collected,
    changed: options.level !== undefined || options.reset,
    reference: await settleReference(options.now, context),
    sortBy: options.sortBy,
  });
}

/** Both together reset first and set then, in ztunnel as in istioctl. */
function requestOf({ level, reset, yes }: Options): LogRequest {
  const levels = level === undefined ? undefined : formatLevels(parseLevels(level));
  const parts = [
    ...(levels === undefined ? [] : [`level=${encodeURIComponent(levels)}`]),
    ...(reset ? ['reset'] : []),
  ];
  const changes = [
    ...(reset ? ['reset the log levels'] : []),
    ...(levels === undefined ? [] : [`set the log level ${levels}`]),
  ];
  return {
    query: parts.length === 0 ? '' : `?${parts.join('&')}`,
    change: changes.length === 0 ? undefined : changes.join(' and '),
    yes,
  };
}
