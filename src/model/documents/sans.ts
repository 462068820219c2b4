// How an expected name is written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import { formatPrincipal } from '../certificates/identity.ts';
import type { NameItem } from '../sans/items.ts';
import { ownersDocument } from './document.ts';

/** An item of a SubjectAltNameList. */
export function nameDocument(item: NameItem): JsonObject {
  const { kind, namespace, name, subset, port } = item.source;
  return {
    namespace: item.namespace,
    service: item.service,
    host: item.host,
    source: { kind, namespace, name, subset, port },
    mode: item.mode,
    name: item.name,
    matches: item.endpoints.filter(({ matches }) => matches).length,
    endpoints: item.endpoints.map((endpoint) => ({
      workloadUid: endpoint.workload.uid,
      kind: endpoint.kind,
      namespace: endpoint.workload.namespace,
      name: endpoint.workload.name,
      identity: endpoint.identity,
      principal: formatPrincipal(endpoint.workload),
      matches: endpoint.matches,
      refused: endpoint.refused,
      owners: ownersDocument(endpoint.owners),
    })),
    status: item.status,
    severity: item.severity,
    problems: item.problems.map(({ status, reason }) => ({ status, reason })),
    raw: item.raw ?? null,
  };
}
