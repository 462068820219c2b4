// How `all` asks, relates and reports.

import { joinCertificates } from '../../model/certificates.ts';
import { joinConnections } from '../../model/connections.ts';
import { SECTIONS } from '../../model/dump.ts';
import { joinPolicies } from '../../model/policies.ts';
import { joinServices } from '../../model/services.ts';
import { joinWorkloadsInSteps } from '../../model/workloads.ts';
import type { Report } from '../../printers/printer.ts';
import { inTurns, takeTurns } from '../../turn.ts';
import type { Options } from '../all.ts';
import { collectDumps } from '../ask/collect.ts';
import { withDeadNodes } from '../ask/deadnodes.ts';
import { listInventory, noInventory } from '../ask/inventory.ts';
import { narrowScope } from '../ask/narrow.ts';
import { settleReference } from '../ask/reference.ts';
import { findScope } from '../ask/scope.ts';
import { readSentDumps } from '../ask/sentdumps.ts';
import type { CommandContext } from '../command.ts';
import { isDocument } from '../common.ts';
import { namespaceFilter } from '../namespaces.ts';
import { allReport } from '../rows/allreport.ts';
import { dumpReport } from '../rows/dumpreport.ts';

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
