// How ztunnels and their log levels are written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import type { ZtunnelItem } from '../items.ts';
import { ztunnelDocument } from './document.ts';

/** An item of a ZtunnelList. `certificates` is null where it did not answer, and has no statuses of which there are none. */
export function ztunnelItemDocument(item: ZtunnelItem): JsonObject {
  return {
    node: item.ztunnel.node,
    ztunnel: ztunnelDocument(item.ztunnel),
    phase: item.phase,
    version: item.version,
    ready: item.ready,
    restarts: item.restarts,
    createdAt: item.createdAt,
    ageSeconds: item.ageSeconds,
    answered: item.answered,
    reason: item.reason,
    severity: item.severity,
    captured: item.captured,
    enrolled: item.enrolled,
    pending: item.pending,
    certificates: item.certificates && { ...item.certificates },
    raw: item.raw ?? null,
  };
}
