// When ztunnel renews a certificate.

// istiod dates certificates back by so much: one of three minutes is past half when it is fetched.
const BACKDATED = 2 * 60_000;

/** At half of the lifetime, and not before it can have been fetched. All in ms since 1970. */
export function renewalDue(notBefore: number, notAfter: number): number {
  return notBefore + Math.max((notAfter - notBefore) / 2, BACKDATED);
}
