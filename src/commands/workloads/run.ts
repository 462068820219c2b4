// How `workloads` asks, relates and reports.

import { inTurns, takeTurns } from '../../base/turn.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/inventory.ts';
import { settleReference } from '../../mesh/reference.ts';
import { narrow } from '../../mesh/target/narrow.ts';
import { shownOf, wantedOf } from '../../mesh/whole.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import type { Section, Workload } from '../../model/dump.ts';
import { joinWorkloadsInSteps } from '../../model/workloads/workloads.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import { sortItems } from '../reports/columns.ts';
import { columns } from './columns.ts';
import type { Options } from './command.ts';
import { workloadReport } from './report.ts';

const certificateSections: ReadonlySet<Section> = new Set(['certificates', 'config']);

const workloadSections: ReadonlySet<Section> = new Set(['workloads', 'services', 'config']);

/** The formats that show what one ztunnel says and nothing that needs joining. */
function isPlain(options: Options): boolean {
  return options.output === 'short' || options.output === 'name';
}

export async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context, keeps, refuseAbsent } = await narrow(given, outer);
  const joined = !isPlain(options);
  const [collected, inventory] = await Promise.all([
    collectDumps(
      wantedOf(workloadSections, options, context, joined ? certificateSections : undefined),
      options,
      context,
    ),
    joined && !options.noOwners ? listInventory(context, undefined) : noInventory,
  ]);
  const reference = await settleReference(options.now, context);
  const base = { inventory, source: context.cluster.source };
  const { items: certificates } = joinCertificates({
    ...collected,
    ...base,
    reference: reference.time,
    warnWithin: options.warnWithin,
    evaluateMissing: joined && !options.noOwners,
  });
  const answers = shownOf(collected);
  await takeTurns(context.signal);
  const all = await inTurns(joinWorkloadsInSteps({ ...base, answers, certificates }), context.signal);
  const passes = filterOf(options);
  const isWanted = (workload: Workload) => passes(workload) && keeps.workload(workload);
  const kept = all.filter((item) => isWanted(item.workload));
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  yield workloadReport({
    items: sortItems(columns(answers.length), kept, options.sortBy),
    answers,
    isWanted,
    collected,
    inventory,
    reference,
    filtered: kept.length < all.length,
  });
}

/** istioctl compares these without case. */
function filterOf(options: Options): (workload: Workload) => boolean {
  const namespace = (options.workloadNamespace ?? options.namespace)?.toLowerCase();
  const node = options.workloadNode?.toLowerCase();
  const address = options.address?.toLowerCase();
  return (workload) =>
    (namespace === undefined || workload.namespace.toLowerCase() === namespace) &&
    (node === undefined || workload.node.toLowerCase() === node) &&
    (address === undefined || workload.addresses.some((own) => own.toLowerCase() === address));
}
