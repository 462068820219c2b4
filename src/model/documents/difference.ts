// How a difference between two states of a mesh is written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import type { Difference } from '../difference.ts';
import { clusterDocument } from './document.ts';

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
