// How many certificates, or workloads with one, there are of which severity and status.

import { SEVERITIES } from './order.ts';
import {
  type CertificateItem,
  type JsonObject,
  type Severity,
  STATUSES,
  type Status,
  type WorkloadCertificate,
  type WorkloadItem,
} from './types.ts';

/** Counts of every severity and status, zeros included, in the order that they are shown in. */
export interface Counts<S extends string = Status> {
  readonly total: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly byStatus: Readonly<Record<S, number>>;
}

export interface Summary<S extends string = Status> extends Counts<S> {
  /** The `summary` of the JSON document. */
  readonly document: JsonObject;
  /** The line below a table. */
  readonly sentence: string;
}

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

/** Counts, and how many of the ztunnels in scope answered: `15 certificates on 3 of 3 ztunnels: 10 OK, …`. */
export function summarizeCertificates(
  items: readonly CertificateItem[],
  asked: number,
  answered: number,
): Summary {
  const counts = countCertificates(items);
  const { ok, ...others } = counts.bySeverity;
  const parts = [part(ok, 'OK'), ...troubleParts(others)];
  return summarize(counts, 'certificate', parts, asked, answered);
}

const WORKLOAD_STATUSES = [...STATUSES, 'none', '-'] as const satisfies readonly WorkloadCertificate[];

/** The same of workloads, by the status of their certificates; those that need none or are not known apart. */
export function summarizeWorkloads(
  items: readonly WorkloadItem[],
  asked: number,
  answered: number,
): Summary<WorkloadCertificate> {
  const bySeverity = countSeverities(items);
  const byStatus = countBy(
    WORKLOAD_STATUSES,
    items.map(({ certificate }) => certificate),
  );
  const { none, '-': unknown } = byStatus;
  const parts = [
    part(bySeverity.ok - none, 'OK'),
    ...troubleParts({ ...bySeverity, information: bySeverity.information - unknown }),
    part(none, 'without'),
    part(unknown, 'unknown'),
  ];
  return summarize({ total: items.length, bySeverity, byStatus }, 'workload', parts, asked, answered);
}

function summarize<S extends string>(
  counts: Counts<S>,
  noun: string,
  parts: readonly string[],
  asked: number,
  answered: number,
): Summary<S> {
  const { total, bySeverity, byStatus } = counts;
  const shown = parts.filter((text) => text !== '').join(', ');
  const where = `${answered} of ${plural(asked, 'ztunnel')}`;
  return {
    ...counts,
    document: { total, bySeverity, byStatus, ztunnels: { asked, answered } },
    sentence: `${plural(total, noun)} on ${where}${shown && ': '}${shown}.`,
  };
}

function troubleParts(counts: Omit<Readonly<Record<Severity, number>>, 'ok'>): readonly string[] {
  return [
    part(counts.critical, 'critical'),
    part(counts.warning, counts.warning === 1 ? 'warning' : 'warnings'),
    part(counts.information, 'information'),
  ];
}

/** '' for what there is none of. */
function part(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function countSeverities(items: readonly { readonly severity: Severity }[]): Counts['bySeverity'] {
  return countBy(
    SEVERITIES,
    items.map(({ severity }) => severity),
  );
}

function countBy<K extends string>(keys: readonly K[], values: readonly K[]): Readonly<Record<K, number>> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  for (const value of values) counts[value] += 1;
  return counts;
}
