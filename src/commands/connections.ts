// `connections`: the open connections of captured pods, with node and owner.

import { joinConnections } from '../model/connections.ts';
import { type CapturedPod, type ConnectionItem, DIRECTIONS, type Direction } from '../model/types.ts';
import type { Report } from '../printers/printer.ts';
import { collectDumps } from './ask/collect.ts';
import { listInventory, noInventory } from './ask/inventory.ts';
import { narrow } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { type CommonOptions, isDocument } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { checkNamespaces } from './namespaces.ts';
import { selector } from './narrowing.ts';
import { sortItems } from './rows/columns.ts';
import { connectionReport } from './rows/connectionreport.ts';
import { connectionColumns } from './rows/connections.ts';
import { TARGET } from './target.ts';

const flags = defineFlags({
  selector,
  direction: {
    kind: 'string',
    value: 'DIRECTION',
    choices: DIRECTIONS,
    summary: `Only ${DIRECTIONS.join(' or ')} connections`,
    group: 'command',
  },
  raw: { kind: 'boolean', summary: 'IP addresses, not names', group: 'command' },
  'workload-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only workloads of this namespace',
    group: 'command',
  },
});
type Options = OptionsOf<typeof flags> & CommonOptions;

export const connections = defineCommand({
  name: 'connections',
  aliases: ['connection', 'cons'],
  summary: 'Open connections of captured pods, with node and owner',
  examples: [
    { args: 'connections', does: 'every open connection of the mesh' },
    { args: 'connections -n shop --direction inbound', does: 'who talks to one namespace' },
    { args: 'connections deployment/web', does: 'of the pods of one Deployment' },
    { args: 'connections --raw', does: 'IP addresses instead of names' },
    { args: 'connections -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'json', 'yaml'],
  check: (options) => checkNamespaces(options.namespace, 'workload-namespace', options.workloadNamespace),
  run,
});

async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context, keeps, refuseAbsent } = await narrow(given, outer);
  const sections = new Set(['workloadState', 'workloads', 'services', 'config'] as const);
  const joined = options.output !== 'short' && !options.noOwners;
  const [collected, inventory] = await Promise.all([
    collectDumps({ sections, keepRaw: isDocument(options) }, options, context),
    joined ? listInventory(context, undefined) : noInventory,
  ]);
  const { answers } = collected;
  const all = joinConnections({ answers, inventory, source: context.cluster.source });
  const direction = options.direction as Direction | undefined;
  // istioctl compares the namespace exactly here.
  const namespace = options.workloadNamespace ?? options.namespace;
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
    reference: await settleReference(options.now, context),
    filtered: kept.length < all.length,
  });
}
