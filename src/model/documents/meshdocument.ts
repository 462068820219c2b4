// How services, policies and connections are written as JSON, and counted in summaries.

import type { JsonObject } from '../../base/json.ts';
import type { Summary } from '../certificates/summary.ts';
import type { ConnectionEnd, ConnectionItem, PolicyItem, ServiceItem } from '../items.ts';
import type { Severity, ZtunnelRef } from '../types.ts';
import { ownersDocument, ztunnelDocument } from './document.ts';

/** An item of a ServiceList; `raw` as in a CertificateList. */
export function serviceDocument({
  service,
  healthyEndpoints,
  waypoint,
  ztunnels,
  differs,
}: ServiceItem): JsonObject {
  return {
    namespace: service.namespace,
    name: service.name,
    hostname: service.hostname || null,
    vips: [...service.vips],
    ports: service.ports.map(({ port, targetPort }) => ({ port, targetPort })),
    endpoints: {
      healthy: healthyEndpoints,
      total: service.endpoints.length,
      workloads: service.endpoints.map(({ workloadUid, status }) => ({
        workloadUid,
        status: status || null,
      })),
    },
    waypoint,
    subjectAltNames: [...service.subjectAltNames],
    ztunnels: ztunnels.map(ztunnelDocument),
    differs,
    raw: service.raw ?? null,
  };
}

/** An item of a PolicyList. */
export function policyDocument({ policy, ztunnels, differs }: PolicyItem): JsonObject {
  return {
    namespace: policy.namespace,
    name: policy.name,
    action: policy.action,
    scope: policy.scope,
    dryRun: policy.dryRun,
    rules: policy.rules,
    ztunnels: ztunnels.map(ztunnelDocument),
    differs,
    raw: policy.raw ?? null,
  };
}

/** An item of a ConnectionList; `owners` as in a CertificateList. */
export function connectionDocument(item: ConnectionItem): JsonObject {
  const { pod, ztunnel } = item;
  return {
    node: ztunnel.node,
    ztunnel: ztunnelDocument(ztunnel),
    pod: { uid: pod.uid, namespace: pod.namespace, name: pod.name },
    direction: item.direction,
    local: endDocument(item.local),
    remote: endDocument(item.remote),
    target: item.target && endDocument(item.target),
    protocol: item.protocol,
    owners: ownersDocument(item.owner),
    raw: item.raw ?? null,
  };
}

function endDocument({ address, name }: ConnectionEnd): JsonObject {
  return { address, name: name === address ? null : name };
}

interface Held {
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** `same` on every ztunnel that was compared, `partial`: not on all of them, `differ`: not the same on all that have it. */
export type Agreement = 'same' | 'partial' | 'differ';

/** What is not the same on all of `dumps` ztunnels is a warning. */
export function summarizeHeld(
  items: readonly Held[],
  dumps: number,
  asked: number,
  answered: number,
): Summary<Agreement> {
  const differ = items.filter((item) => item.differs).length;
  const partial = items.filter((item) => !item.differs && item.ztunnels.length < dumps).length;
  const same = items.length - differ - partial;
  return {
    total: items.length,
    bySeverity: { critical: 0, warning: differ + partial, information: 0, ok: same },
    byStatus: { same, partial, differ },
    ztunnels: { asked, answered },
  };
}

/** For what is not judged: everything is in order, and has no status. */
export function summarizeUnjudged(total: number, asked: number, answered: number): Summary<never> {
  return {
    total,
    bySeverity: { critical: 0, warning: 0, information: 0, ok: total },
    byStatus: {},
    ztunnels: { asked, answered },
  };
}

/** Ztunnels by whether they answered. */
export function summarizeZtunnels(
  items: readonly { readonly severity: Severity; readonly answered: boolean }[],
  asked: number,
): Summary<'answered' | 'failed'> {
  const answered = items.filter((item) => item.answered).length;
  const ofSeverity = (severity: Severity) => items.filter((item) => item.severity === severity).length;
  return {
    total: items.length,
    bySeverity: {
      critical: ofSeverity('critical'),
      warning: ofSeverity('warning'),
      information: ofSeverity('information'),
      ok: ofSeverity('ok'),
    },
    byStatus: { answered, failed: items.length - answered },
    ztunnels: { asked, answered },
  };
}
