// How many certificates, or workloads with one, there are of which severity and status.

import {
  type CertificateItem,
  STATUSES,
  type Status,
  type WorkloadCertificate,
  type WorkloadItem,
} from '../items.ts';
import { SEVERITIES } from '../order.ts';
import type { Severity } from '../types.ts';

/** Counts of every severity and status, zeros included, in the order that they are shown in. */
export interface Counts<S extends string = Status> {
  readonly total: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly byStatus: Readonly<Record<S, number>>;
}

/** The `summary` of a JSON document, in its key order: the counts, and how many ztunnels in scope answered. */
export interface Summary<S extends string = Status> extends Counts<S> {
  readonly ztunnels: { readonly asked: number; readonly answered: number };
}
export type CertificateSummary = Summary;
export type WorkloadSummary = Summary<WorkloadCertificate>;

export function countCertificates(items: readonly CertificateItem[]): Counts {
  return {
    total: items.length,
    bySeverity: countSeverities(items),
    byStatus: countBy(
      STATUSES,
      items.map(({ status }) => status),
    ),
  };
}

export function summarizeCertificates(
  items: readonly CertificateItem[],
  asked: number,
  answered: number,
): CertificateSummary {
  return { ...countCertificates(items), ztunnels: { asked, answered } };
}

const WORKLOAD_STATUSES = [...STATUSES, 'none', '-'] as const satisfies readonly WorkloadCertificate[];

/** Workloads by the status of their certificates. */
export function summarizeWorkloads(
  items: readonly WorkloadItem[],
  asked: number,
  answered: number,
): WorkloadSummary {
  return {
    total: items.length,
    bySeverity: countSeverities(items),
    byStatus: countBy(
      WORKLOAD_STATUSES,
      items.map(({ certificate }) => certificate),
    ),
    ztunnels: { asked, answered },
  };
}

/**
 * `15 certificates on 3 of 3 ztunnels, 1 missing: 10 OK, 5 critical, 1 warning.` What there is none of is left out.
 * `within` says more of the ztunnels, with a space before it.
 */
export function formatSummary(
  { total, bySeverity, byStatus, ztunnels }: CertificateSummary,
  within = '',
): string {
  const shown = describeSeverities(bySeverity);
  const where = `${ztunnels.answered} of ${plural(ztunnels.asked, 'ztunnel')}${within}`;
  // A row that no ztunnel holds a certificate for.
  const missing = byStatus.MISSING === 0 ? '' : `, ${byStatus.MISSING} missing`;
  const held = plural(total - byStatus.MISSING, 'certificate');
  return `${held} on ${where}${missing}${shown === '' ? '' : ': '}${shown}.`;
}

/** `10 OK, 4 critical, 1 warning`; '' where there is nothing. */
export function describeSeverities(bySeverity: Counts['bySeverity']): string {
  const counts = [
    [bySeverity.ok, 'OK'],
    [bySeverity.critical, 'critical'],
    [bySeverity.warning, bySeverity.warning === 1 ? 'warning' : 'warnings'],
    [bySeverity.information, 'information'],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many there are of each severity. */
export function countSeverities(items: readonly { readonly severity: Severity }[]): Counts['bySeverity'] {
  return countBy(
    SEVERITIES,
    items.map(({ severity }) => severity),
  );
}

/** How often each key occurs, zeros included, in the order of the keys. */
export function countBy<K extends string>(
  keys: readonly K[],
  values: readonly K[],
): Readonly<Record<K, number>> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  for (const value of values) counts[value] += 1;
  return counts;
}
