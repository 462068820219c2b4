// How dumps, pods and the reference time become the judged rows of `certs`.

import type { WarnWithin } from '../../base/duration.ts';
import { formatTime } from '../../base/duration.ts';
import type { CertificateEntry, DumpCertificate } from '../dump.ts';
import type { CertificateItem, Owners } from '../items.ts';
import { compareCertificates } from '../order.ts';
import { createUserLookup, type Place } from '../owners/pods.ts';
import type { Answer, Severity } from '../types.ts';
import { nodeOf, refOf } from '../ztunnels/ztunnels.ts';
import { splitChain } from './chain.ts';
import { formatIdentity, formatPrincipal, parseIdentity } from './identity.ts';
import { findValidity, judgeCertificate, type Validity } from './judge.ts';
import { findMissing, type MissingIdentity, type MissingInput } from './missing.ts';
import { type ChainVerifier, createChainVerifier } from './verify.ts';
import { type CertificateReader, createCertificateReader, parseDecimalSerial } from './x509.ts';

export interface CertificateInput extends MissingInput {
  /** How early a certificate is EXPIRING; by default at 10 % of its lifetime. */
  readonly warnWithin: WarnWithin;
}

export interface JoinedCertificates {
  /** One for each ztunnel and identity, and one for each MISSING identity of a node, in the table's order. */
  readonly items: readonly CertificateItem[];
  /** Why MISSING could not, or not everywhere, be judged, as a sentence; undefined when it was. */
  readonly missingNotEvaluated: string | undefined;
}

/** What product rules say when nothing else is asked for. */
export const DEFAULT_WARN_WITHIN: WarnWithin = { percent: 10 };

/** Judges every certificate of every answer, and adds what is missing. */
export function joinCertificates(input: CertificateInput): JoinedCertificates {
  const usersOf = createUserLookup(input);
  const context: Context = {
    at: input.reference.getTime(),
    warnWithin: input.warnWithin,
    read: createCertificateReader(),
    verify: createChainVerifier(),
    usersOf,
  };
  const listed = input.answers.flatMap((answer) =>
    answer.dump.certificates.map((entry) => joinEntry(answer, entry, context)),
  );
  const missing = findMissing(input);
  const absent = missing.evaluated ? missing.identities.map((one) => joinMissing(one, usersOf(one))) : [];
  return {
    items: [...listed, ...absent].toSorted(compareCertificates),
    missingNotEvaluated: missing.evaluated ? missing.gap : missing.why,
  };
}

interface Context {
  readonly at: number;
  readonly warnWithin: WarnWithin;
  readonly read: CertificateReader;
  readonly verify: ChainVerifier;
  readonly usersOf: (place: Place) => Owners;
}

function joinEntry(answer: Answer, entry: CertificateEntry, context: Context): CertificateItem {
  const { at, warnWithin } = context;
  const { identity, state } = entry;
  const chain = splitChain(entry, context.read);
  const trust = context.verify(chain, at);
  const validity = findValidity(chain);
  const verdict = judgeCertificate({ identity, state, chain, validity, trust, at, warnWithin });
  const node = nodeOf(answer);
  const who = describeIdentity(identity);
  const owners = findOwners({ ...who, node }, context.usersOf);
  const certificates = [chain.leaf, ...chain.intermediates];
  return {
    identity,
    ...who,
    node,
    ztunnel: refOf(answer),
    state,
    ...verdict,
    severity: isOrphan(owners) ? calm(verdict.severity) : verdict.severity,
    ...(validity ? describeLeaf(validity, at) : describeUnreadable(entry.chain[0])),
    chain: certificates.flatMap((certificate) => certificate?.facts ?? []),
    roots: chain.roots.map(({ facts }) => facts),
    anchor: trust.root?.facts ?? null,
    owners,
    entry,
  };
}

type Names = Pick<CertificateItem, 'trustDomain' | 'namespace' | 'serviceAccount' | 'principal'>;

function describeIdentity(text: string): Names {
  const identity = parseIdentity(text);
  if (!identity) return { trustDomain: null, namespace: null, serviceAccount: null, principal: null };
  return { ...identity, principal: formatPrincipal(identity) };
}

function findOwners(
  { node, namespace, serviceAccount }: Pick<CertificateItem, 'node' | 'namespace' | 'serviceAccount'>,
  usersOf: (place: Place) => Owners,
): Owners {
  if (node === null || namespace === null || serviceAccount === null) return { known: false, why: 'unknown' };
  return usersOf({ node, namespace, serviceAccount });
}

/** No pod on the node needs it any more; ztunnel drops it later (before 1.22 it never did). */
function isOrphan(owners: Owners): boolean {
  return owners.known && owners.owners.length === 0;
}

function calm(severity: Severity): Severity {
  return severity === 'ok' ? 'ok' : 'information';
}

type LeafFacts = Pick<
  CertificateItem,
  | 'notBefore'
  | 'notAfter'
  | 'effectiveNotAfter'
  | 'remainingSeconds'
  | 'lifetimePercent'
  | 'serialNumber'
  | 'fingerprintSHA256'
  | 'issuer'
>;

const NOTHING_KNOWN: LeafFacts = {
  notBefore: null,
  notAfter: null,
  effectiveNotAfter: null,
  remainingSeconds: null,
  lifetimePercent: null,
  serialNumber: null,
  fingerprintSHA256: null,
  issuer: null,
};

function describeLeaf({ leaf, lifetime, to }: Validity, at: number): LeafFacts {
  const used = Math.round(((at - leaf.notBefore) / lifetime) * 1000) / 10;
  return {
    notBefore: leaf.facts.notBefore,
    notAfter: leaf.facts.notAfter,
    effectiveNotAfter: formatTime(to),
    // Rounded up, so that it is above 0 exactly as long as the certificate has not expired; + 0 makes -0 a 0.
    remainingSeconds: Math.ceil((to - at) / 1000) + 0,
    lifetimePercent: lifetime > 0 ? used + 0 : null,
    serialNumber: leaf.facts.serialNumber,
    fingerprintSHA256: leaf.facts.fingerprintSHA256,
    issuer: leaf.facts.issuer,
  };
}

/** Of a leaf that can't be read, the dump itself still gives dates and serial number. */
function describeUnreadable(leaf: DumpCertificate | undefined): LeafFacts {
  if (!leaf) return NOTHING_KNOWN;
  return {
    ...NOTHING_KNOWN,
    notBefore: readTime(leaf.validFrom),
    notAfter: readTime(leaf.expirationTime),
    serialNumber: parseDecimalSerial(leaf.serialNumber) ?? null,
  };
}

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(text: string): string | null {
  const time = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : formatTime(time);
}

function joinMissing({ node, ...identity }: MissingIdentity, owners: Owners): CertificateItem {
  return {
    identity: formatIdentity(identity),
    ...identity,
    principal: formatPrincipal(identity),
    node,
    ztunnel: null,
    state: null,
    status: 'MISSING',
    severity: 'critical',
    reason: 'no ztunnel on this node lists it',
    ...NOTHING_KNOWN,
    chain: [],
    roots: [],
    anchor: null,
    owners,
    entry: undefined,
  };
}
