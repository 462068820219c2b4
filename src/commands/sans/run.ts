// How `sans` asks, relates and reports.

import { wantedOfAll } from '../../mesh/asking.ts';
import { collectDumps, shownOf } from '../../mesh/collect.ts';
import { listInventory, listIstio, noInventory, noIstio } from '../../mesh/lists.ts';
import type { Keeps } from '../../mesh/scope/keeps.ts';
import { findTargetScope } from '../../mesh/scope/scope.ts';
import type { Section } from '../../model/dump.ts';
import { joinNames, type NameItem } from '../../model/sans/items.ts';
import type { Report } from '../../printers/printer.ts';
import { sortItems } from '../reports/columns.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import type { Options } from './command.ts';
import { nameColumns, nameReport } from './report.ts';

const certificateSections: ReadonlySet<Section> = new Set(['certificates', 'config']);

const meshSections: ReadonlySet<Section> = new Set(['services', 'workloads', 'config']);

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const wanted = wantedOfAll(
    { sections: meshSections, besides: certificateSections, keepRaw: isDocument(options) },
    mesh.cluster,
  );
  const scope = await findTargetScope(options, wanted, mesh);
  const { keeps, filtered, namespace, refuseAbsent } = scope;
  const [collected, inventory, istio] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    options.noOwners ? noInventory : listInventory(mesh, undefined),
    options.noOwners ? noIstio : listIstio(mesh),
  ]);
  const whole = shownOf(collected);
  const all = joinNames({
    answers: collected.answers,
    whole,
    inventory,
    istio: istio.objects,
    source: mesh.cluster.source,
  });
  const kept = all.filter((item) => isWanted(item, namespace, filtered, keeps));
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  yield nameReport({
    items: sortItems(nameColumns, kept, options.sortBy),
    answers: whole,
    collected,
    inventory,
    istio,
    source: mesh.cluster.source,
    reference: await mesh.reference(),
    filtered: kept.length < all.length,
  });
}

/** With TARGET or a selector, what names the services of those pods. */
function isWanted(
  { namespace, endpoints }: NameItem,
  wanted: string | undefined,
  filtered: boolean,
  keeps: Keeps,
): boolean {
  return (
    (wanted === undefined || namespace === wanted) &&
    (!filtered || endpoints.some(({ workload }) => keeps.workload(workload)))
  );
}
