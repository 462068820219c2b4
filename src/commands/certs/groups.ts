// `certs --group-by`: one line per group, so that a rotation's progress is one command.

import type { JsonObject } from '../../base/json.ts';
import { type ByKey, type CertificateGroup, groupCertificates } from '../../model/certificates/group.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Severity } from '../../model/types.ts';
import type { Cell, Table, Views } from '../../printers/printer.ts';
import { displayExpiry, plain } from '../reports/certificatecolumns.ts';
import { type ColumnSpec, renderTable } from '../reports/columns.ts';
import { type DocumentParts, documentOf } from '../reports/document.ts';

/** The views of grouped certificates: a table, and a CertificateGroupList. */
export function groupViews(
  items: readonly CertificateItem[],
  by: ByKey,
  document: Omit<DocumentParts, 'kind' | 'items'>,
): Pick<Views, 'document'> & { readonly table: (options: { readonly wide: boolean }) => Table } {
  const groups = groupCertificates(items, by);
  return {
    table: ({ wide }) => renderTable(groupColumns(by), groups, wide),
    document: () =>
      documentOf({
        ...document,
        kind: 'CertificateGroupList',
        items: groups.map((group): JsonObject => ({ by, ...group, byStatus: { ...group.byStatus } })),
      }),
  };
}

/** 12 hex digits of a root's fingerprint are enough for a person; `-o wide` shows all. */
const FINGERPRINT_DIGITS = 12;

function groupColumns(by: ByKey): readonly ColumnSpec<CertificateGroup>[] {
  return [
    {
      header: by.toUpperCase(),
      fit: by === 'node' ? 'node' : 'middle',
      cell: ({ group }, wide) => plain(by === 'root' && !wide ? group.slice(0, FINGERPRINT_DIGITS) : group),
    },
    { header: 'CERTIFICATES', cell: (group) => plain(String(group.total)) },
    { header: 'CRITICAL', cell: (group) => count(group, 'critical') },
    { header: 'WARNING', cell: (group) => count(group, 'warning') },
    { header: 'INFORMATION', cell: (group) => count(group, 'information') },
    { header: 'OK', cell: (group) => count(group, 'ok') },
    { header: 'FIRST EXPIRES', cell: (group) => plain(displayExpiry(group.remainingSeconds)) },
    { header: 'NOT AFTER', wide: true, cell: (group) => plain(group.earliestNotAfter ?? '-') },
  ];
}

function count(group: CertificateGroup, severity: Severity): Cell {
  const value = group.bySeverity[severity];
  return { text: String(value), tone: value === 0 ? 'dim' : severity };
}
