// `snapshot`: all that any command reads of a mesh, saved to be read again with -f.

import { renderManifest } from '../decode/manifest.ts';
import { UsageError } from '../errors.ts';
import type { Report } from '../printers/printer.ts';
import { withDeadNodes } from './ask/deadnodes.ts';
import { settleReference } from './ask/reference.ts';
import { saveDumps } from './ask/savedumps.ts';
import { saveLists, savePods } from './ask/savelists.ts';
import { findScope } from './ask/scope.ts';
import { type CommandContext, defineCommand } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags } from './flags.ts';
import { renderTable, sortItems } from './rows/columns.ts';
import { count } from './rows/sentences.ts';
import { columns, displaySize, type SavedRow, savedRows } from './rows/snapshot.ts';

export const snapshot = defineCommand({
  name: 'snapshot',
  aliases: [],
  summary: 'Save all dumps and the objects that go with them; -f reads it back',
  examples: [
    { args: 'snapshot before.tar.gz', does: 'one file, for later or for somebody else' },
    { args: 'snapshot before/', does: 'a directory' },
    { args: 'certs -f before.tar.gz', does: 'what certs said then' },
    { args: 'snapshot a.tar.gz --node node-a', does: 'the ztunnels of one node' },
  ],
  arguments: { usage: 'DIR|FILE.tar.gz', least: 1, most: 1, completes: 'files' },
  flags: defineFlags({}),
  formats: ['table'],
  run,
});

async function* run(options: CommonOptions, context: CommandContext): AsyncGenerator<Report> {
  const { cluster, signal } = context;
  if (cluster.source === 'files') {
    throw new UsageError(
      'a snapshot is taken of a live mesh or of another snapshot, not of single dumps',
      'Leave -f out, or name a snapshot with it.',
    );
  }
  const target = options.words[0]!;
  const writer = await context.createSnapshot(target, signal);
  try {
    yield await take(target, writer, options, context);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function take(
  target: string,
  writer: Awaited<ReturnType<CommandContext['createSnapshot']>>,
  options: CommonOptions,
  context: CommandContext,
): Promise<Report> {
  const { cluster } = context;
  const hide = hider(cluster.server);
  const scope = await findScope(options, context);
  const pods = await savePods(
    writer,
    scope.ztunnels.flatMap(({ pod }) => pod ?? []),
  );
  const [dumps, lists] = await Promise.all([
    saveDumps(scope, writer, hide, options, context),
    saveLists(writer, options.namespace, hide, context),
  ]);
  const manifest = {
    reference: await settleReference(options.now, context),
    clockSkewSeconds: cluster.clockSkewSeconds() ?? null,
    namespace: cluster.namespace ?? null,
    redacted: cluster.redacted ?? false,
    warnings: cluster.warnings().map(hide),
    ztunnels: dumps.ztunnels,
    pods,
    lists: lists.lists,
  };
  const failures = await withDeadNodes(dumps.failures, options, context);
  const size = await writer.finish(renderManifest(manifest));
  const rows: readonly SavedRow[] = sortItems(columns, savedRows(manifest), options.sortBy);
  const whole = dumps.ztunnels.filter(({ dump, failure, problem }) => dump && !failure && !problem).length;
  return {
    views: { table: ({ wide }) => renderTable(columns, rows, wide) },
    rowCount: rows.length,
    failures,
    warnings: lists.warnings,
    summary: `saved ${whole} of ${count(dumps.ztunnels.length, 'ztunnel')} in ${target}, ${displaySize(size)}`,
    empty: undefined,
    clusterRole: lists.clusterRole,
    partial: lists.partial,
  };
}

/** An address that a ztunnel's own words may hold, too. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Takes the API server's address out of a text: it is nobody's business who gets the snapshot. */
function hider(server: string | undefined): (text: string) => string {
  const url = server === undefined ? null : URL.parse(server);
  if (server === undefined || url === null) return (text) => text;
  const spellings = [
    `the API server ${server}`,
    server,
    url.host,
    ...(isLoopback(url) ? [] : [url.hostname]),
  ];
  return (text) =>
    spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, 'the API server'), text);
}
