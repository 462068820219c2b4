// How `all` asks, relates and reports.

import { inTurns, takeTurns } from '../../base/turn.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { withDeadNodes } from '../../mesh/deadnodes.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findServingScope } from '../../mesh/scope/scope.ts';
import { createCaptureLookup } from '../../model/capture/state.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import { SECTIONS } from '../../model/dump.ts';
import { joinConnections } from '../../model/workloads/connections.ts';
import { joinPolicies } from '../../model/workloads/policies.ts';
import { joinServices } from '../../model/workloads/services.ts';
import { joinWorkloadsInSteps } from '../../model/workloads/workloads.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import { namespaceFilter } from '../spec/sharedflags.ts';
import type { Options } from './command.ts';
import { allReport, dumpReport } from './report.ts';
import { readSentDumps } from './sentdumps.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  yield isDocument(options)
    ? await asSent(options, await context.mesh())
    : await bySection(options, await context.mesh());
}

/** Section by section. */
async function bySection(options: Options, mesh: Mesh): Promise<Report> {
  const joined = options.output !== 'short' && !options.noOwners;
  const wanted = { sections: new Set(SECTIONS), keepRaw: 'several' } as const;
  const scope = await findServingScope(options, wanted, mesh);
  const { keeps } = scope;
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    joined ? listInventory(mesh, undefined) : noInventory,
  ]);
  const reference = await mesh.reference();
  const { answers } = collected;
  const base = { answers, inventory, source: mesh.cluster.source };
  const { items: certificates, missingNotEvaluated } = joinCertificates({
    ...collected,
    ...base,
    reference: reference.time,
    warnWithin: options.warnWithin,
    evaluateMissing: joined,
  });
  const isWanted = namespaceFilter(scope.namespace);
  const captureOf = createCaptureLookup({
    ...collected,
    pods: inventory.pods,
    reference: reference.time,
  });
  await takeTurns(mesh.signal);
  const workloads = await inTurns(joinWorkloadsInSteps({ ...base, certificates, captureOf }), mesh.signal);
  return allReport({
    workloads: workloads.filter(({ workload }) => isWanted(workload.namespace) && keeps.workload(workload)),
    services: joinServices(answers).filter((item) => isWanted(item.service.namespace)),
    policies: joinPolicies(answers).filter((item) => isWanted(item.policy.namespace)),
    certificates: certificates.filter((item) => isWanted(item.namespace ?? '') && keeps.certificate(item)),
    connections: joinConnections(base).filter(({ pod }) => isWanted(pod.namespace ?? '') && keeps.pod(pod)),
    isWanted,
    keeps,
    collected,
    inventory,
    warnings: missingNotEvaluated === undefined || options.output === 'short' ? [] : [missingNotEvaluated],
    reference,
    withHeaders: options.withHeaders,
  });
}

/** Whole dumps, as they were sent. */
async function asSent(options: Options, mesh: Mesh): Promise<Report> {
  const scope = await findServingScope(options, { sections: new Set(), keepRaw: false }, mesh);
  return dumpReport({
    reference: await mesh.reference(),
    asked: scope.ztunnels.length,
    read: (how) => readSentDumps(scope.asked, how, options, mesh),
    failures: scope.failures,
    explain: (failures) => withDeadNodes(failures, mesh),
  });
}
