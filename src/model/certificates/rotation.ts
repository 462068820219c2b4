// How far a change of roots has come, and when it will be done.

import { type Comparator, compareBy, compareText } from '../../base/order.ts';
import type { CertificateItem, X509Facts } from '../items.ts';
import { renewalDue } from '../renewal.ts';

export interface Rotation {
  /** The newest root in use. */
  readonly root: string;
  /** Certificates under any root of its trust domain, and under this one. */
  readonly total: number;
  readonly rotated: number;
  /**
   * When the last certificate under an older root is due to be renewed, in ms since 1970; null if there is none
   * left.
   */
  readonly due: number | null;
}

/** One for each trust domain in which certificates lead, or led, to more than one root; by trust domain. */
export function findRotations(
  items: readonly CertificateItem[],
  known: ReadonlySet<string> = new Set(),
): readonly Rotation[] {
  const domains = Map.groupBy(
    items.filter(({ anchor }) => anchor !== null),
    ({ trustDomain }) => trustDomain ?? '',
  );
  return [...domains]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, members]) => {
      const newest = members.map(({ anchor }) => anchor!).toSorted(compareNewest)[0]!.fingerprintSHA256;
      const older = members.filter(({ anchor }) => anchor!.fingerprintSHA256 !== newest);
      if (older.length === 0 && !known.has(newest)) return [];
      const dues = older.map(renewalOf);
      return [
        {
          root: newest,
          total: members.length,
          rotated: members.length - older.length,
          due: dues.length === 0 ? null : dues.reduce((a, b) => Math.max(a, b)),
        },
      ];
    });
}

/** The one that began last comes first. */
export const compareNewest: Comparator<X509Facts> = compareBy<X509Facts>(
  (a, b) => compareText(b.notBefore, a.notBefore),
  (a, b) => compareText(a.fingerprintSHA256, b.fingerprintSHA256),
);

/** Only readable certificates lead to a root. */
function renewalOf({ notBefore, notAfter }: CertificateItem): number {
  return renewalDue(Date.parse(notBefore ?? ''), Date.parse(notAfter ?? ''));
}
