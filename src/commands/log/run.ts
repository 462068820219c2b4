// How `log` asks, relates and reports.

import { findServingScope } from '../../mesh/scope/scope.ts';
import { formatLevels, parseLevels } from '../../model/ztunnels/loglevel.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { collectLevels, type LogRequest } from './levels.ts';
import { logReport } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const scope = await findServingScope(options, { sections: new Set(), keepRaw: false }, mesh);
  const collected = await collectLevels(requestOf(options), scope, options, mesh, context.confirm);
  yield logReport({
    ...collected,
    changed: options.level !== undefined || options.reset,
    reference: await mesh.reference(),
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
