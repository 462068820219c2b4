// How findings, and differences between two states of a mesh, are written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import type { Difference } from '../difference.ts';
import type { Finding } from '../findings/check.ts';
import type { Concerned } from '../findings/finding.ts';
import { clusterDocument, ownersDocument, ztunnelDocument } from './document.ts';

/** An item of a FindingList. `workloads` and `pods` are null where it is not known whom it hits. */
export function findingDocument(finding: Finding): JsonObject {
  return {
    ...clusterDocument(finding),
    code: finding.code,
    severity: finding.severity,
    title: finding.title,
    meaning: finding.meaning,
    remedy: finding.remedy,
    particulars: finding.particulars,
    workloads: finding.hits?.workloads ?? null,
    pods: finding.hits?.pods ?? null,
    objects: finding.objects.map(concernedDocument),
  };
}

function concernedDocument(object: Concerned): JsonObject {
  const { kind, namespace, name, node, ztunnel, detail, hits } = object;
  return {
    ...clusterDocument(object),
    kind,
    namespace,
    name,
    node,
    ztunnel: ztunnel && ztunnelDocument(ztunnel),
    detail,
    owners: ownersDocument(hits),
  };
}

export function differenceDocument(difference: Difference): JsonObject {
  const { kind, namespace, name, node, id, changes, severity, detail, before, after } = difference;
  return {
    ...clusterDocument(difference),
    kind,
    namespace,
    name,
    node,
    id,
    changes: [...changes],
    severity,
    detail,
    before,
    after,
  };
}
