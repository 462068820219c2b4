// In which order things are shown.

import { type Comparator, compareBy, compareText } from '../base/order.ts';
import { type CertificateItem, STATUSES, type Status, type WorkloadItem } from './items.ts';
import type { Severity } from './types.ts';

/** Worst first. */
export const SEVERITIES = ['critical', 'warning', 'information', 'ok'] as const satisfies readonly Severity[];

const SEVERITY_RANK = new Map<Severity, number>(SEVERITIES.map((severity, rank) => [severity, rank]));
const STATUS_RANK = new Map<Status, number>(STATUSES.map((status, rank) => [status, rank]));

/** Worst first. */
export function compareSeverity(a: Severity, b: Severity): number {
  return SEVERITY_RANK.get(a)! - SEVERITY_RANK.get(b)!;
}

/** In the order of the STATUS table. */
function compareStatus(a: Status, b: Status): number {
  return STATUS_RANK.get(a)! - STATUS_RANK.get(b)!;
}

/** By severity, then by the order of the STATUS table. */
export const compareGravity: Comparator<Pick<CertificateItem, 'severity' | 'status'>> = compareBy(
  (a, b) => compareSeverity(a.severity, b.severity),
  (a, b) => compareStatus(a.status, b.status),
);

/** Rows of `certs`: by severity, status, identity, node, ztunnel, cluster. */
export const compareCertificates = compareBy<CertificateItem>(
  compareGravity,
  (a, b) => compareText(a.identity, b.identity),
  (a, b) => compareText(a.node ?? '', b.node ?? ''),
  (a, b) => compareText(a.ztunnel?.namespace ?? '', b.ztunnel?.namespace ?? ''),
  (a, b) => compareText(a.ztunnel?.name ?? '', b.ztunnel?.name ?? ''),
  (a, b) => compareText(a.cluster ?? '', b.cluster ?? ''),
);

/** Rows of `workloads`: by namespace, name, node, uid. */
export const compareWorkloads = compareBy<WorkloadItem>(
  (a, b) => compareText(a.workload.namespace, b.workload.namespace),
  (a, b) => compareText(a.workload.name, b.workload.name),
  (a, b) => compareText(a.workload.node, b.workload.node),
  (a, b) => compareText(a.workload.uid, b.workload.uid),
);
