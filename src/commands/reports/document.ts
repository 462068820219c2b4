// The frame of every JSON and YAML document: kind, reference time, items, summary and failures.

import type { JsonObject } from '../../base/json.ts';
import type { Summary } from '../../model/certificates/summary.ts';
import { clusterDocument, ztunnelDocument } from '../../model/documents/document.ts';
import type { ClusterFailure, Failure, Reference } from '../../model/types.ts';
import type { Document } from '../../printers/shapes.ts';
import type { ClusterState } from './clusters.ts';

export interface DocumentParts {
  readonly kind: string;
  readonly reference: Reference;
  /** Where several were asked. */
  readonly clusters?: readonly JsonObject[] | undefined;
  readonly items: Iterable<JsonObject>;
  readonly summary: JsonObject;
  readonly failures: readonly (Failure | ClusterFailure)[];
}

/** Keys come in the order of docs/json.md. */
export function documentOf(parts: DocumentParts): Document {
  return {
    apiVersion: 'ztunnel.kubectl/v1',
    kind: parts.kind,
    reference: referenceDocument(parts.reference),
    clusters: parts.clusters,
    items: parts.items,
    summary: parts.summary,
    failures: parts.failures.map(failureDocument),
  };
}

/** When "now" was, and who said so. */
export function referenceDocument({ time, source }: Reference): JsonObject {
  return { time: formatTime(time), source };
}

/** Counts in their stated order. */
export function summaryDocument({ total, bySeverity, byStatus, ztunnels }: Summary<string>): JsonObject {
  return { total, bySeverity: { ...bySeverity }, byStatus: { ...byStatus }, ztunnels: { ...ztunnels } };
}

/** A ztunnel that failed, or with null a whole cluster. */
export function failureDocument({
  cluster,
  ztunnel,
  severity,
  message,
  hint,
}: Failure | ClusterFailure): JsonObject {
  return {
    ...clusterDocument({ cluster }),
    ztunnel: ztunnel && ztunnelDocument(ztunnel),
    severity,
    message,
    hint,
  };
}

/** The clusters that were to be asked; undefined for only one. */
export function clustersDocument(
  clusters: readonly ClusterState[] | undefined,
): readonly JsonObject[] | undefined {
  return clusters?.map(({ name, reference, ztunnels }) => ({
    name,
    reference: reference && referenceDocument(reference),
    ztunnels: { ...ztunnels },
  }));
}

/** RFC 3339 in UTC, with a fraction only where there is one. */
function formatTime(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
