// `workloads`: the mesh as ztunnel sees it, each workload with its owner and its certificate's status.

import { joinCertificates } from '../model/certificates.ts';
import type { Section, Workload } from '../model/types.ts';
import { joinWorkloads } from '../model/workloads.ts';
import type { Report } from '../printers/printer.ts';
import { collectDumps } from './ask/collect.ts';
import { listInventory, noInventory } from './ask/inventory.ts';
import { narrow } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { shownOf, wantedOf } from './ask/whole.ts';
import { type CommandContext, defineCommand } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { checkNamespaces } from './namespaces.ts';
import { deep, selector } from './narrowing.ts';
import { sortItems } from './rows/columns.ts';
import { workloadReport } from './rows/workloadreport.ts';
import { columns } from './rows/workloads.ts';
import { TARGET } from './target.ts';
import { warnWithin } from './warnwithin.ts';

const flags = defineFlags({
  selector,
  deep,
  address: { kind: 'string', value: 'IP', summary: 'Only the workload with this address', group: 'command' },
  'workload-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only workloads of this namespace',
    group: 'command',
  },
  'workload-node': {
    kind: 'string',
    value: 'NODE',
    summary: 'Only workloads on this node',
    group: 'command',
  },
  'warn-within': warnWithin,
});
type Options = OptionsOf<typeof flags> & CommonOptions;

export const workloads = defineCommand({
  name: 'workloads',
  aliases: ['workload', 'wl', 'w'],
  summary: 'Workloads as ztunnel sees them, with owner and certificate',
  examples: [
    { args: 'workloads', does: 'every workload of the mesh' },
    { args: 'workloads -n shop -o wide', does: 'one namespace, all columns' },
    { args: 'workloads deployment/web', does: 'the pods of one Deployment' },
    { args: 'workloads --deep', does: 'what ztunnels disagree about' },
    { args: 'workloads --workload-node node-a', does: 'what runs on a node' },
    { args: 'workloads --address 10.1.0.11', does: 'who has this address' },
    { args: 'workloads -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'name', 'json', 'yaml'],
  check: checkOptions,
  run,
});

function checkOptions(options: Options): void {
  checkNamespaces(options.namespace, 'workload-namespace', options.workloadNamespace);
}

const certificateSections: ReadonlySet<Section> = new Set(['certificates', 'config']);
const workloadSections: ReadonlySet<Section> = new Set(['workloads', 'services', 'config']);

/** The formats that show what one ztunnel says and nothing that needs joining. */
function isPlain(options: Options): boolean {
  return options.output === 'short' || options.output === 'name';
}

async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
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
  const all = joinWorkloads({ ...base, answers, certificates });
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
