// How `workloads` asks, relates and reports.

import { inTurns, takeTurns } from '../../base/turn.ts';
import { wantedOfAll } from '../../mesh/asking.ts';
import { collectDumps, shownOf } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import { findTargetScope } from '../../mesh/scope/scope.ts';
import { createCaptureLookup } from '../../model/capture/state.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import type { Section, Workload } from '../../model/dump.ts';
import { joinWorkloadsInSteps } from '../../model/workloads/workloads.ts';
import type { Report } from '../../printers/printer.ts';
import { sortItems } from '../reports/columns.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import { columns } from './columns.ts';
import type { Options } from './command.ts';
import { workloadReport } from './report.ts';

/** Of the ztunnel of each node: what it holds for its pods, and which it has taken over. */
const nodeSections: ReadonlySet<Section> = new Set(['certificates', 'config', 'workloadState']);

const workloadSections: ReadonlySet<Section> = new Set(['workloads', 'services', 'config']);

/** The formats that show what one ztunnel says and nothing that needs joining. */
function isPlain(options: Options): boolean {
  return options.output === 'short' || options.output === 'name';
}

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const joined = !isPlain(options);
  const { deep } = options;
  const wanted = wantedOfAll(
    {
      sections: workloadSections,
      besides: joined ? nodeSections : undefined,
      deep,
      keepRaw: isDocument(options),
    },
    mesh.cluster,
  );
  const scope = await findTargetScope(options, wanted, mesh);
  const { keeps, refuseAbsent } = scope;
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    joined && !options.noOwners ? listInventory(mesh, undefined) : noInventory,
  ]);
  const reference = await mesh.reference();
  const base = { inventory, source: mesh.cluster.source };
  const { items: certificates } = joinCertificates({
    ...collected,
    ...base,
    reference: reference.time,
    warnWithin: options.warnWithin,
    evaluateMissing: joined && !options.noOwners,
  });
  const answers = shownOf(collected);
  const captureOf = createCaptureLookup({
    ...collected,
    pods: inventory.pods,
    reference: reference.time,
  });
  await takeTurns(mesh.signal);
  const all = await inTurns(joinWorkloadsInSteps({ ...base, answers, certificates, captureOf }), mesh.signal);
  const passes = filterOf(options, scope.namespace);
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
function filterOf(options: Options, ofScope: string | undefined): (workload: Workload) => boolean {
  const namespace = (options.workloadNamespace ?? ofScope)?.toLowerCase();
  const node = options.workloadNode?.toLowerCase();
  const address = options.address?.toLowerCase();
  return (workload) =>
    (namespace === undefined || workload.namespace.toLowerCase() === namespace) &&
    (node === undefined || workload.node.toLowerCase() === node) &&
    (address === undefined || workload.addresses.some((own) => own.toLowerCase() === address));
}
