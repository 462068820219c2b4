// `certs`: which certificates every ztunnel holds, judged, with node and owner.

import type { Cluster } from '../cluster/cluster.ts';
import { UsageError, UserError } from '../errors.ts';
import { joinCertificates } from '../model/certificates.ts';
import { GROUPINGS, type Grouping } from '../model/group.ts';
import { type CertificateItem, SECTIONS, type Section, STATUSES } from '../model/types.ts';
import type { Report } from '../printers/printer.ts';
import { collectDumps } from './ask/collect.ts';
import { listInventory, noInventory } from './ask/inventory.ts';
import { narrow } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { watch } from './ask/watch.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { type CommonOptions, isDocument } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { deep, selector } from './narrowing.ts';
import { certificateReport } from './rows/certificatereport.ts';
import { columns } from './rows/certificates.ts';
import { sortItems } from './rows/columns.ts';
import { type LookedCertificates, watchedRound } from './rows/watchedcertificates.ts';
import { TARGET } from './target.ts';
import { warnWithin } from './warnwithin.ts';
import { checkWatch, watchFlags } from './watchflags.ts';

const flags = defineFlags({
  selector,
  status: {
    kind: 'strings',
    value: 'STATUS',
    choices: STATUSES,
    summary: 'Only these statuses (repeatable)',
    group: 'command',
  },
  problems: { kind: 'boolean', summary: 'Only what is critical or a warning', group: 'command' },
  'group-by': {
    kind: 'string',
    value: 'KEY',
    choices: GROUPINGS,
    summary: `Count by ${GROUPINGS.join('|')}`,
    group: 'command',
  },
  'warn-within': warnWithin,
  deep: { ...deep, summary: 'Read whole dumps, to their end' },
  'fail-on': {
    kind: 'string',
    value: 'SEVERITY',
    choices: ['critical', 'warning'],
    summary: 'Exit 1 on critical, or on a warning too',
    group: 'command',
  },
  ...watchFlags,
});
export type CertsOptions = OptionsOf<typeof flags> & CommonOptions;

export const certs = defineCommand({
  name: 'certs',
  aliases: ['certificates', 'certificate', 'cert'],
  summary: 'Certificates of all ztunnels, judged, with node and owner',
  examples: [
    { args: 'certs', does: 'every certificate, worst first' },
    { args: 'certs --problems', does: 'only what needs you' },
    { args: 'certs -n shop -o wide', does: 'one namespace, all columns' },
    { args: 'certs deployment/web.shop', does: 'what one Deployment needs' },
    { args: 'certs --group-by root', does: 'how far a root rotation is' },
    { args: 'certs --watch --group-by root', does: 'follow a rotation to its end' },
    { args: 'certs -f dump.json', does: 'judge a saved config dump' },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'name', 'pem', 'json', 'yaml', 'html'],
  check: checkOptions,
  run,
});

/** The formats that show what ztunnel says and nothing that needs joining. */
const plainFormats = new Set<string | undefined>(['short', 'name', 'pem']);

function checkOptions(options: CertsOptions): void {
  checkWatch(options);
  if (options.groupBy === undefined) return;
  if (plainFormats.has(options.output)) {
    throw new UsageError(
      `--group-by and --output ${options.output} exclude each other`,
      'Use -o table, wide, json or yaml with --group-by.',
    );
  }
  if (options.sortBy !== undefined) {
    throw new UsageError('--group-by and --sort-by exclude each other', 'Leave one of them out.');
  }
}

async function* run(given: CertsOptions, outer: CommandContext): AsyncGenerator<Report> {
  if (given.output === 'pem' && outer.cluster.redacted) {
    throw new UserError('a redacted snapshot holds no certificates', 'Ask for -o pem of the mesh itself.');
  }
  if (!given.watch) {
    yield (await look(given, outer)).report;
    return;
  }
  const shown = { byRoot: given.groupBy === 'root', grouped: given.groupBy !== undefined };
  yield* watch(
    async (context, previous: Parameters<typeof watchedRound>[1], time) =>
      watchedRound(await look(given, context), previous, shown, await time()),
    given,
    outer,
  );
}

async function look(given: CertsOptions, outer: CommandContext): Promise<LookedCertificates> {
  const { options, context, keeps, filtered, refuseAbsent } = await narrow(given, outer);
  const joined = needsJoin(options);
  const wanted = {
    sections: sectionsFor(joined, filtered, options, context.cluster),
    keepRaw: isDocument(options),
    // For owners and MISSING; the rest is compared only by --deep.
    ownWorkloads: !options.deep,
  };
  const [collected, inventory] = await Promise.all([
    collectDumps(wanted, options, context),
    joined ? listInventory(context, options.namespace) : noInventory,
  ]);
  const reference = await settleReference(options.now, context);
  const { items, missingNotEvaluated } = joinCertificates({
    ...collected,
    inventory,
    reference: reference.time,
    source: context.cluster.source,
    warnWithin: options.warnWithin,
    evaluateMissing: joined,
  });
  const inScope = items.filter((item) => isOf(options.namespace, item) && keeps.certificate(item));
  const kept = inScope.filter((item) => isWanted(item, options));
  if (kept.length === 0 && collected.failures.length === 0) refuseAbsent(collected.answers);
  const sorted = sortItems(columns, kept, options.sortBy);
  const report = certificateReport({
    items: sorted,
    collected,
    inventory,
    // Formats that never show MISSING don't speak of it.
    warnings:
      missingNotEvaluated === undefined || plainFormats.has(options.output) ? [] : [missingNotEvaluated],
    reference,
    groupBy: options.groupBy as Grouping | undefined,
    failOn: options.failOn as 'critical' | 'warning' | undefined,
    onlyProblems: options.problems,
    filtered: filtered || options.problems || options.namespace !== undefined || options.status.length > 0,
  });
  return { report, items: sorted, inScope, collected };
}

/** Owners and MISSING need the pods (live) or the dump's workloads (files). */
function needsJoin(options: CertsOptions): boolean {
  if (options.noOwners) return false;
  return (
    !plainFormats.has(options.output) ||
    options.problems ||
    options.failOn !== undefined ||
    options.status.includes('MISSING')
  );
}

/** No more than what is shown and judged, so that reading can stop there. */
function sectionsFor(
  joined: boolean,
  narrowed: boolean,
  options: CertsOptions,
  cluster: Cluster,
): ReadonlySet<Section> {
  if (options.deep) return new Set(SECTIONS);
  if (cluster.source === 'live') return new Set(joined ? ['certificates', 'config'] : ['certificates']);
  if (joined) return new Set(['certificates', 'config', 'workloads']);
  // A file's node stands in its config; the formats that don't show nodes do without, unless rows are
  // chosen by them.
  const plain = plainFormats.has(options.output) && !narrowed;
  return new Set(plain ? ['certificates'] : ['certificates', 'config']);
}

function isOf(namespace: string | undefined, item: CertificateItem): boolean {
  return namespace === undefined || item.namespace === namespace;
}

function isWanted(item: CertificateItem, options: CertsOptions): boolean {
  if (options.status.length > 0 && !options.status.includes(item.status)) return false;
  return !options.problems || item.severity === 'critical' || item.severity === 'warning';
}
