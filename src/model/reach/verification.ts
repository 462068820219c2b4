// Whether one identity's certificate is accepted by another: what reaching asks of the model of trust.

import type { CertificateEntry } from '../dump.ts';

/** What an entry is good for at the time of judgement. */
export type EntryState =
  /** `until`: when it ends, in ms since 1970. */
  | { readonly state: 'usable'; readonly until: number }
  /** It can't be used: `why` is a phrase, as `expired at …`, or the CA's reason. */
  | { readonly state: 'unusable'; readonly why: string }
  /** It is being fetched, or what it is can't be read. */
  | { readonly state: 'unknown'; readonly why: string };

/** `why` is a phrase that tells the broken link or the rule. */
export type Acceptance =
  /** `root`: SHA-256 fingerprint of the anchor, in lower-case hex. */
  | { readonly accepted: true; readonly root: string }
  | { readonly accepted: false; readonly why: string }
  | { readonly accepted: undefined; readonly why: string };

export interface Verification {
  readonly stateOf: (entry: CertificateEntry) => EntryState;
  /**
   * Whether `verifier` takes the certificate that `presented` shows as a client or a server: by chain, dates and use.
   * Names and trust domains are compared elsewhere.
   */
  readonly accepts: (
    verifier: CertificateEntry,
    presented: CertificateEntry,
    as: 'client' | 'server',
  ) => Acceptance;
  /** Entries of one class are treated alike by every other, on either side. */
  readonly classOf: (entry: CertificateEntry) => string;
}
