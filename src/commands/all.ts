// `all`: everything that ztunnels hold, section by section, or their config dumps as they were sent.

import { UsageError } from '../errors.ts';
import { joinCertificates } from '../model/certificates.ts';
import { joinConnections } from '../model/connections.ts';
import { joinPolicies } from '../model/policies.ts';
import { joinServices } from '../model/services.ts';
import { SECTIONS } from '../model/types.ts';
import { joinWorkloads } from '../model/workloads.ts';
import type { Report } from '../printers/printer.ts';
import { collectDumps } from './ask/collect.ts';
import { withDeadNodes } from './ask/deadnodes.ts';
import { listInventory, noInventory } from './ask/inventory.ts';
import { narrowScope } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { findScope } from './ask/scope.ts';
import { readSentDumps } from './ask/sentdumps.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { type CommonOptions, isDocument } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { namespaceFilter } from './namespaces.ts';
import { allReport } from './rows/allreport.ts';
import { dumpReport } from './rows/dumpreport.ts';
import { TARGET } from './target.ts';
import { warnWithin } from './warnwithin.ts';

const flags = defineFlags({
  'with-headers': { kind: 'boolean', summary: 'Print a heading above each section', group: 'command' },
  'warn-within': warnWithin,
});
type Options = OptionsOf<typeof flags> & CommonOptions;

export const all = defineCommand({
  name: 'all',
  aliases: [],
  summary: 'Everything that ztunnels hold; with -o json their whole config dumps',
  examples: [
    { args: 'all --with-headers', does: 'every section, each below its heading' },
    { args: 'all -n shop', does: 'what concerns one namespace' },
    { args: 'all deployment/web', does: 'what concerns one Deployment' },
    { args: 'all --node node-a -o json > dump.json', does: 'save the dump of one ztunnel; -f reads it' },
    { args: 'all -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'json', 'yaml'],
  check: checkOptions,
  run,
});

function checkOptions(options: Options): void {
  if (options.sortBy !== undefined) {
    throw new UsageError(
      'all prints several tables, and --sort-by is for one',
      'Sort the table of certs, workloads, services, policies or connections.',
    );
  }
  if (isDocument(options) && options.namespace !== undefined && options.words.length === 0) {
    throw new UsageError(
      `--namespace and --output ${options.output} exclude each other: dumps are printed as they were sent`,
      'Use certs, workloads, services, policies or connections for one namespace.',
    );
  }
}

async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  yield isDocument(options) ? await sent(options, context) : await told(options, context);
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
  return allReport({
    workloads: joinWorkloads({ ...base, certificates }).filter(
      ({ workload }) => isWanted(workload.namespace) && keeps.workload(workload),
    ),
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
