// The columns of `snapshot`: which files it wrote, and what each holds.

import type { Manifest, SavedFile } from '../../decode/manifest.ts';
import { plain } from '../reports/certificatecolumns.ts';
import type { ColumnSpec } from '../reports/columns.ts';
import { count } from '../reports/sentences.ts';

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
