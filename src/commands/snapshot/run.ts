// How `snapshot` asks, relates and reports.

import { randomBytes } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { renderManifest } from '../../decode/manifest.ts';
import { withDeadNodes } from '../../mesh/deadnodes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findScope, type Scope } from '../../mesh/scope/scope.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { Report } from '../../printers/printer.ts';
import { renderTable, sortItems } from '../reports/columns.ts';
import { count } from '../reports/sentences.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { type Keeping, keepAll } from './keeping.ts';
import { redactAll } from './redaction.ts';
import { columns, displaySize, type SavedRow, savedRows } from './report.ts';
import { saveDumps } from './savedumps.ts';
import { saveLists, savePods } from './savelists.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  if (mesh.cluster.source === 'files') {
    throw new UsageError(
      'a snapshot is taken of a live mesh or of another snapshot, not of single dumps',
      'Leave -f out, or name a snapshot with it.',
    );
  }
  const target = options.words[0]!;
  const writer = await context.createSnapshot(target, context.signal);
  try {
    yield await take(target, writer, options, mesh);
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function take(
  target: string,
  writer: Awaited<ReturnType<CommandContext['createSnapshot']>>,
  options: Options,
  mesh: Mesh,
): Promise<Report> {
  const { cluster } = mesh;
  const scope = await findScope(options, mesh);
  const keeping = await keepingFor(options, scope, mesh);
  const pods = await savePods(
    writer,
    scope.ztunnels.flatMap(({ pod }) => pod ?? []),
    keeping,
  );
  const [dumps, lists] = await Promise.all([
    saveDumps(scope, writer, keeping, options, mesh),
    saveLists(writer, options.namespace, keeping, mesh),
  ]);
  const manifest = {
    reference: await mesh.reference(),
    clockSkewSeconds: cluster.clockSkewSeconds() ?? null,
    namespace: cluster.namespace === undefined ? null : keeping.namespace(cluster.namespace),
    redacted: options.redact || cluster.redacted === true,
    warnings: cluster.warnings().flatMap((text) => keeping.sentence(text) ?? []),
    ztunnels: dumps.ztunnels,
    pods,
    lists: lists.lists,
  };
  const failures = await withDeadNodes(dumps.failures, mesh);
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

/** What a redacted snapshot's names depend on is listed before anything is saved. */
async function keepingFor(
  { redact }: Options,
  { ztunnels }: Scope,
  { cluster, lists, signal }: Mesh,
): Promise<Keeping> {
  // A redacted one has nothing left that could be replaced.
  if (!redact || cluster.redacted) return keepAll(cluster.server);
  const named = await Promise.allSettled([
    lists.list('pods', { signal }),
    lists.list('statefulsets', { signal }),
  ]);
  signal.throwIfAborted();
  const objects = named.flatMap((list): readonly KubeObject[] =>
    list.status === 'fulfilled' ? list.value : [],
  );
  return redactAll(randomBytes(32), { ztunnels, objects });
}
