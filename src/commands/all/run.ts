// How `all` asks, relates and reports.

import { inTurns, takeTurns } from '../../base/turn.ts';
import { collectDumps } from '../../mesh/collect.ts';
import { withDeadNodes } from '../../mesh/deadnodes.ts';
import { listInventory, noInventory } from '../../mesh/inventory.ts';
import { settleReference } from '../../mesh/reference.ts';
import { findScope } from '../../mesh/scope.ts';
import { readSentDumps } from '../../mesh/sentdumps.ts';
import { narrowScope } from '../../mesh/target/narrow.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import { SECTIONS } from '../../model/dump.ts';
import { joinConnections } from '../../model/workloads/connections.ts';
import { joinPolicies } from '../../model/workloads/policies.ts';
import { joinServices } from '../../model/workloads/services.ts';
import { joinWorkloadsInSteps } from '../../model/workloads/workloads.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import { isDocument } from '../flags/common.ts';
import { namespaceFilter } from '../flags/namespaces.ts';
import type { Options } from './command.ts';
import { dumpReport } from './dumpreport.ts';
import { allReport } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  yield isDocument(options) ? await sent(options, context) : await told(options, context);
}

/** Section by section. */
async function told(given: Options, outer: CommandContext): Promise<Report> {
  const { options, context, keeps } = await narrowScope(given, outer);
  const joined = options.output !== 'short' && !options.noOwners;
  const [collected, inventory] = await Promise.all([
    collectDumps({ sections: new Set(SECTIONS), keepRaw: 'several' }, options, context),
    joined ? listInventory(context, undefined) : noInventory,
  ]);
  const reference = await settleReference(options.now, context);
  const { answers } = collected;
  const base = { answers, inventory, source: context.cluster.source };
  const { items: certificates, missingNotEvaluated } = joinCertificates({
    ...collected,
    ...base,
    reference: reference.time,
    warnWithin: options.warnWithin,
    evaluateMissing: joined,
  });
  const isWanted = namespaceFilter(options.namespace);
  await takeTurns(context.signal);
  const workloads = await inTurns(joinWorkloadsInSteps({ ...base, certificates }), context.signal);
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
async function sent(given: Options, outer: CommandContext): Promise<Report> {
  const { options, context } = await narrowScope(given, outer);
  const scope = await findScope(options, context);
  return dumpReport({
    reference: await settleReference(options.now, context),
    asked: scope.ztunnels.length,
    read: (how) => readSentDumps(scope.asked, how, options, context),
    failures: scope.failures,
    explain: (failures) => withDeadNodes(failures, options, context),
  });
}
