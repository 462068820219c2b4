// How services, policies and connections are written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import type { ConnectionEnd, ConnectionItem, PolicyItem, ServiceItem } from '../items.ts';
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
