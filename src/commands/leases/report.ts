// What `leases` reports: its views, counts and sentences.

import type { JsonObject } from '../../base/json.ts';
import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import { ownersDocument } from '../../model/documents/document.ts';
import type { LeaseItem } from '../../model/leases/leaseitems.ts';
import { LEASE_STATUSES } from '../../model/leases/leases.ts';
import type { Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import { renderTable } from '../reports/columns.ts';
import { documentOf } from '../reports/document.ts';
import { leaseColumns, nodeOfHolder } from './columns.ts';

interface LeaseFindings {
  readonly items: readonly LeaseItem[];
  /** undefined if no ztunnel was asked. */
  readonly collected: Collected | undefined;
  readonly inventory: ListedInventory;
  readonly reference: Reference;
  readonly asOfRenewal: boolean;
}

export function leaseReport({ items, collected, inventory, reference, asOfRenewal }: LeaseFindings): Report {
  const failures = collected?.failures ?? [];
  const counts = LEASE_STATUSES.map((status) => ({
    status,
    count: items.filter((item) => item.status === status).length,
  }));
  const shown = counts.filter(({ count }) => count > 0).map(({ status, count }) => `${count} ${status}`);
  return {
    views: {
      table: ({ wide }) => renderTable(leaseColumns, items, wide),
      document: () =>
        documentOf({
          kind: 'LeaseList',
          reference,
          items: items.values().map(leaseDocument),
          summary: {
            total: items.length,
            byStatus: Object.fromEntries(counts.map(({ status, count }) => [status, count])),
          },
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: [
      ...inventory.warnings,
      ...(asOfRenewal && items.length > 0
        ? ['saved Leases are judged as of their own renewal; --now judges them at a time']
        : []),
    ],
    clusterRole: inventory.clusterRole,
    summary: `${items.length} ${items.length === 1 ? 'Lease' : 'Leases'}: ${shown.join(', ')}.`,
    empty: 'no Lease matches; --nodes shows those of nodes',
    partial: inventory.partial,
  };
}

/** Times as the API sent them, to the microsecond. */
function leaseDocument(item: LeaseItem): JsonObject {
  const { metadata, spec } = item.lease;
  return {
    namespace: metadata.namespace ?? null,
    name: metadata.name,
    holderIdentity: spec?.holderIdentity ?? null,
    holder: holderDocument(item),
    owners: ownersDocument(item.owner),
    acquireTime: spec?.acquireTime ?? null,
    renewTime: spec?.renewTime ?? null,
    renewedSeconds: item.renewedSeconds,
    leaseDurationSeconds: spec?.leaseDurationSeconds ?? null,
    leaseTransitions: spec?.leaseTransitions ?? null,
    strategy: spec?.strategy ?? null,
    preferredHolder: spec?.preferredHolder ?? null,
    status: item.status,
  };
}

function holderDocument(item: LeaseItem): JsonObject | null {
  const { holder } = item;
  const node = nodeOfHolder(item);
  if (holder.kind === 'node')
    return { kind: 'Node', namespace: null, name: holder.name, node, serviceAccount: null };
  if (holder.kind !== 'pod') return null;
  const { metadata, spec } = holder.pod;
  return {
    kind: 'Pod',
    namespace: metadata.namespace ?? null,
    name: metadata.name,
    node,
    serviceAccount: spec?.serviceAccountName || 'default',
  };
}
