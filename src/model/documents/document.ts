// How items of commands are written as JSON: which keys, in which order.

import type { Json, JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import { formatPrincipal } from '../certificates/identity.ts';
import type { CertificateItem, Owner, Owners, WorkloadItem, X509Facts, ZtunnelItem } from '../items.ts';
import type { NameItem } from '../sans/items.ts';
import type { ZtunnelRef } from '../types.ts';

/**
 * An item of a CertificateList. `owners` is null where they are not known, [] where there are none; `raw` is null
 * where the dump's own object was not kept or there is none (MISSING).
 */
export function certificateDocument(item: CertificateItem): JsonObject {
  return {
    ...clusterDocument(item),
    identity: item.identity,
    trustDomain: item.trustDomain,
    namespace: item.namespace,
    serviceAccount: item.serviceAccount,
    principal: item.principal,
    node: item.node,
    ztunnel: item.ztunnel && ztunnelDocument(item.ztunnel),
    state: item.state,
    status: item.status,
    severity: item.severity,
    reason: item.reason,
    notBefore: item.notBefore,
    notAfter: item.notAfter,
    effectiveNotAfter: item.effectiveNotAfter,
    remainingSeconds: item.remainingSeconds,
    lifetimePercent: item.lifetimePercent,
    serialNumber: item.serialNumber && { decimal: item.serialNumber.decimal, hex: item.serialNumber.hex },
    fingerprintSHA256: item.fingerprintSHA256,
    issuer: item.issuer,
    chain: item.chain.map(x509Document),
    roots: item.roots.map(x509Document),
    anchor: item.anchor && rootDocument(item.anchor),
    owners: ownersDocument(item.owners),
    raw: omitPems(item.entry?.raw, [...item.chain, ...item.roots]),
  };
}

/** An item of a WorkloadList; `owners` and `raw` as in a CertificateList. */
export function workloadDocument(item: WorkloadItem): JsonObject {
  const { workload } = item;
  return {
    uid: workload.uid,
    kind: item.kind,
    namespace: workload.namespace,
    name: workload.name,
    identity: item.identity,
    trustDomain: workload.trustDomain,
    serviceAccount: workload.serviceAccount,
    node: workload.node || null,
    addresses: [...workload.addresses],
    hostname: workload.hostname || null,
    protocol: workload.protocol,
    networkMode: workload.networkMode || null,
    certificate: item.certificate,
    severity: item.severity,
    capture: item.capture,
    waypoint: item.waypoint,
    services: [...workload.services],
    owners: ownersDocument(item.owner),
    ztunnels: item.ztunnels.map(ztunnelDocument),
    differs: item.differs,
    raw: workload.raw ?? null,
  };
}

/** The key that comes first where several clusters are asked; none else. */
export function clusterDocument({ cluster }: { readonly cluster?: string | null }): JsonObject {
  return cluster === undefined ? {} : { cluster };
}

/** How a ztunnel is referred to in items and failures. */
export function ztunnelDocument({ namespace, name, node }: ZtunnelRef): JsonObject {
  return { namespace, name, node };
}

/** A root as it is referred to. */
export function rootDocument({ subject, notBefore, notAfter, fingerprintSHA256 }: X509Facts): JsonObject {
  return { subject, notBefore, notAfter, fingerprintSHA256 };
}

function x509Document(facts: X509Facts): JsonObject {
  return {
    subject: facts.subject,
    issuer: facts.issuer,
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    serialNumber: { decimal: facts.serialNumber.decimal, hex: facts.serialNumber.hex },
    fingerprintSHA256: facts.fingerprintSHA256,
    pem: facts.pem,
  };
}

/** Owners of an item; null where they are not known. */
export function ownersDocument(owners: Owners): Json {
  return owners.known ? owners.owners.map(ownerDocument) : null;
}

function ownerDocument({ kind, namespace, name, ready, desired, pods }: Owner): JsonObject {
  return { kind, namespace, name, ready, desired, pods: [...pods] };
}

/** ztunnel's own object without the PEM texts that stand in chain and roots; one that could not be read stays. */
function omitPems(raw: JsonObject | undefined, given: readonly X509Facts[]): JsonObject | null {
  if (!raw) return null;
  const bodies = new Set(given.map(({ pem }) => extractBody(pem)));
  const isGiven = (value: Json | undefined) =>
    typeof value === 'string' && bodies.has(extractBody(decodePem(value)));
  const omit = (element: Json): Json =>
    isObject(element) && isGiven(element.pem)
      ? Object.fromEntries(Object.entries(element).filter(([key]) => key !== 'pem'))
      : element;
  return Object.fromEntries(
    // Lists of certificates go by several names: certChain, rootCerts, before 1.22 cert_chain and ca_cert.
    Object.entries(raw).map(([key, value]) => [key, isList(value) ? value.map(omit) : value]),
  );
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** ztunnel ≥ 1.21 wraps the PEM text in base64. */
function decodePem(text: string): string {
  return text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1');
}

/** The base64 of the first certificate in a PEM text, without white space; '' when there is none. */
function extractBody(pem: string): string {
  const [, body = ''] = /-----BEGIN [A-Z0-9 ]+-----([^-]*)-----END/.exec(pem) ?? [];
  return body.replace(/\s+/g, '');
}

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
