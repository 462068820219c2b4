// How `log` asks, relates and reports.

import { formatLevels, parseLevels } from '../../model/loglevel.ts';
import type { Report } from '../../printers/printer.ts';
import { collectLevels, type LogRequest } from '../ask/loglevels.ts';
import { narrowScope } from '../ask/narrow.ts';
import { settleReference } from '../ask/reference.ts';
import type { CommandContext } from '../command.ts';
import type { Options } from '../log.ts';
import { logReport } from '../rows/logreport.ts';

export async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
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
