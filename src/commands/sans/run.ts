// How `sans` asks, relates and reports.

import { collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/inventory.ts';
import { listIstio, noIstio } from '../../mesh/istio.ts';
import { settleReference } from '../../mesh/reference.ts';
import type { Keeps } from '../../mesh/target/keeps.ts';
import { narrow } from '../../mesh/target/narrow.ts';
import { shownOf, wantedOf } from '../../mesh/whole.ts';
import type { Section } from '../../model/dump.ts';
import { joinNames, type NameItem } from '../../model/sans/items.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import { sortItems } from '../reports/columns.ts';
import { nameColumns } from './columns.ts';
import type { Options } from './command.ts';
import { nameReport } from './report.ts';

const certificateSections: ReadonlySet<Section> = new Set(['certificates', 'config']);

const meshSections: ReadonlySet<Section> = new Set(['services', 'workloads', 'config']);

export async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context, keeps, filtered, refuseAbsent } = await narrow(given, outer);
  const [collected, inventory, istio] = await Promise.all([
    collectDumps(wantedOf(meshSections, options, context, certificateSections), options, context),
    options.noOwners ? noInventory : listInventory(context, undefined),
    options.noOwners ? noIstio : listIstio(context),
  ]);
  const whole = shownOf(collected);
  const all = joinNames({
    answers: collected.answers,
    whole,
    inventory,
    istio: istio.objects,
    source: context.cluster.source,
  });
  const kept = all.filter((item) => isWanted(item, options.namespace, filtered, keeps));
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  yield nameReport({
    items: sortItems(nameColumns, kept, options.sortBy),
    answers: whole,
    collected,
    inventory,
    istio,
    source: context.cluster.source,
    reference: await settleReference(options.now, context),
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
