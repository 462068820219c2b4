// How `connections` asks, relates and reports.

import { collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import { findTargetScope } from '../../mesh/scope/scope.ts';
import type { CapturedPod, Direction } from '../../model/dump.ts';
import type { ConnectionItem } from '../../model/items.ts';
import { joinConnections } from '../../model/workloads/connections.ts';
import type { Report } from '../../printers/printer.ts';
import { sortItems } from '../reports/columns.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import type { Options } from './command.ts';
import { connectionColumns, connectionReport } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const sections = new Set(['workloadState', 'workloads', 'services', 'config'] as const);
  const wanted = { sections, keepRaw: isDocument(options) };
  const scope = await findTargetScope(options, wanted, mesh);
  const { keeps, refuseAbsent } = scope;
  const joined = options.output !== 'short' && !options.noOwners;
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    joined ? listInventory(mesh, undefined) : noInventory,
  ]);
  const { answers } = collected;
  const all = joinConnections({ answers, inventory, source: mesh.cluster.source });
  const direction = options.direction as Direction | undefined;
  // istioctl compares the namespace exactly here.
  const namespace = options.workloadNamespace ?? scope.namespace;
  const isWanted = ({ pod, ...item }: ConnectionItem) =>
    (namespace === undefined || pod.namespace === namespace) &&
    (direction === undefined || item.direction === direction) &&
    keeps.pod(pod);
  const kept = all.filter(isWanted);
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  yield connectionReport({
    items: sortItems(connectionColumns(options.raw), kept, options.sortBy),
    raw: options.raw,
    short: {
      raw: options.raw,
      direction,
      isWanted: (pod: CapturedPod) =>
        (namespace === undefined || pod.namespace === namespace) && keeps.pod(pod),
    },
    collected,
    inventory,
    reference: await mesh.reference(),
    filtered: kept.length < all.length,
  });
}
