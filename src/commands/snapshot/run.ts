// How `snapshot` collects and writes, and which files it reports.

import { randomBytes } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { type Manifest, renderManifest, type SavedFile } from '../../decode/manifest.ts';
import { withDeadNodes } from '../../mesh/deadnodes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findScope, type Scope } from '../../mesh/scope/scope.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { Report } from '../../printers/printer.ts';
import { plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable, sortItems } from '../reports/columns.ts';
import { count } from '../reports/sentences.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { type Keeping, keepAll, redactAll } from './keeping.ts';
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

/** One file, or what should have been one. */
export interface SavedRow {
  readonly file: string;
  readonly node: string | null;
  readonly bytes: number;
  readonly holds: string;
  readonly whole: boolean;
}

export const columns: readonly ColumnSpec<SavedRow>[] = [
  { header: 'FILE', fit: 'middle', cell: ({ file }) => plain(file) },
  { header: 'SIZE', cell: ({ bytes }) => plain(displaySize(bytes)), key: ({ bytes }) => bytes },
  { header: 'NODE', fit: 'node', cell: ({ node }) => plain(node ?? '-') },
  { header: 'HOLDS', cell: ({ holds, whole }) => ({ text: holds, tone: whole ? 'plain' : 'critical' }) },
];

/** Lists, then ztunnels, in the manifest's order; what is missing has `-` for a file. */
export function savedRows({ lists, ztunnels }: Manifest): readonly SavedRow[] {
  return [
    ...lists.map(({ kind, namespace, items, saved, failure }) => {
      const where = namespace === null ? '' : ` of ${namespace}`;
      const why = failure?.absent ? 'not installed' : 'refused or failed';
      const holds = failure === null ? count(items, singularOf(kind), kind) : `${kind}: ${why}`;
      const whole = failure === null || failure.absent === true;
      return { ...fileOf(saved), node: null, holds: `${holds}${where}`, whole };
    }),
    ...ztunnels.map(({ namespace, name, node, version, dump, failure, problem }) => {
      const whole = dump !== null && failure === null && problem === null;
      const what = whole
        ? (version ?? 'of an unknown version')
        : dump === null
          ? 'no dump'
          : 'a part of its dump';
      return { ...fileOf(dump), node, holds: `ztunnel ${namespace}/${name}: ${what}`, whole };
    }),
  ];
}

/** `pod`, `serviceentry`. */
function singularOf(plural: string): string {
  return plural.endsWith('ies') ? `${plural.slice(0, -'ies'.length)}y` : plural.slice(0, -1);
}

function fileOf(saved: SavedFile | null): Pick<SavedRow, 'file' | 'bytes'> {
  return { file: saved?.file ?? '-', bytes: saved?.bytes ?? 0 };
}

/** `12 B`, `3.4 MB`: decimal, one digit after the point. */
export function displaySize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, size] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  return `${(bytes / Number(size)).toFixed(1)} ${unit}`;
}
