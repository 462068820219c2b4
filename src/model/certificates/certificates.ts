// How dumps, pods and the reference time become the judged rows of `certs`.

import { once } from '../../base/cache.ts';
import { formatTime, type WarnWithin } from '../../base/duration.ts';
import type { CertificateEntry, DumpCertificate } from '../dump.ts';
import type { CertificateItem, Owners } from '../items.ts';
import { compareCertificates } from '../order.ts';
import { createUserLookup, type Place } from '../owners/pods.ts';
import type { Answer, Severity } from '../types.ts';
import { keyOfZtunnel, nodeOf, refOf } from '../ztunnels/ztunnels.ts';
import type { CryptoProvider } from './algorithms.ts';
import { splitChain } from './chain.ts';
import { chooseTrust, type Validity } from './choice.ts';
import { formatIdentity, formatPrincipal, parseIdentity } from './identity.ts';
import { judgeCertificate, weighByAge } from './judge.ts';
import { findMissing, type MissingIdentity, type MissingInput } from './missing.ts';
import { findOutages } from './reasons.ts';
import { createUseLookup, type Use } from './use.ts';
import { createVerification, providerOf, type Verification } from './verification.ts';
import {
  type CertificateReader,
  createCertificateReader,
  type ParsedCertificate,
  parseDecimalSerial,
} from './x509.ts';

export interface CertificateInput extends MissingInput {
  /** How early a certificate is EXPIRING; by default at 10 % of its lifetime. */
  readonly warnWithin: WarnWithin;
}

export interface JoinedCertificates {
  /** One for each ztunnel and identity, and one for each MISSING identity of a node, in the table's order. */
  readonly items: readonly CertificateItem[];
  /** What verified them: asked for other pairs, it knows those that it was asked for. */
  readonly verification: Verification;
  /** Why MISSING could not, or not everywhere, be judged, as a sentence; undefined when it was. */
  readonly missingNotEvaluated: string | undefined;
}

/** What product rules say when nothing else is asked for. */
export const DEFAULT_WARN_WITHIN: WarnWithin = { percent: 10 };

/** Judges every certificate of every answer, and adds what is missing. */
export function joinCertificates(
  input: CertificateInput,
  verification: Verification = createVerification(),
): JoinedCertificates {
  const usersOf = createUserLookup(input);
  const read = createCertificateReader();
  const context: Context = {
    at: input.reference.getTime(),
    warnWithin: input.warnWithin,
    read,
    verification,
    roots: once(() => listRoots(input.answers, read)),
    providerOf: createProviderLookup(input.answers),
    usersOf,
    useOf: createUseLookup(input),
  };
  const listed = input.answers.flatMap((answer) =>
    answer.dump.certificates.map((entry) => joinEntry(answer, entry, context)),
  );
  const missing = findMissing(input);
  const outages = findOutages(listed);
  const absent = missing.evaluated
    ? missing.identities.map((one) => joinMissing(one, usersOf(one), outages.has(one.node)))
    : [];
  return {
    items: [...listed, ...absent].toSorted(compareCertificates),
    verification,
    missingNotEvaluated: missing.evaluated ? missing.gap : missing.why,
  };
}

interface Context {
  readonly at: number;
  readonly warnWithin: WarnWithin;
  readonly read: CertificateReader;
  readonly verification: Verification;
  /** Of all answers, each once. */
  readonly roots: () => readonly ParsedCertificate[];
  readonly providerOf: (answer: Answer) => CryptoProvider;
  readonly usersOf: (place: Place) => Owners;
  readonly useOf: ReturnType<typeof createUseLookup>;
}

function joinEntry(answer: Answer, entry: CertificateEntry, context: Context): CertificateItem {
  const { warnWithin, verification } = context;
  const at = timeOf(answer, context.at);
  const { identity, state } = entry;
  const chain = splitChain(entry, context.read);
  const presented = verification.presentedBy(chain, context.roots);
  const verifier = verification.verifierOf(chain, context.providerOf(answer));
  const search = presented === undefined ? UNREADABLE : verification.verify(presented, verifier);
  const trust = chooseTrust(chain, search, at);
  const node = nodeOf(answer);
  const who = describeIdentity(identity);
  const use = findUse({ ...who, node }, answer, context);
  const verdict = judgeCertificate({ identity, state, chain, trust, use, at, warnWithin });
  const { validity, anchor, issuers } = trust;
  const certificates = [chain.leaf, ...chain.intermediates];
  return {
    identity,
    ...who,
    node,
    ztunnel: refOf(answer),
    state,
    ...verdict,
    severity: use.state === 'unused' ? ease(verdict.severity) : verdict.severity,
    ...(validity ? describeLeaf(validity, at) : describeUnreadable(entry.chain[0])),
    chain: certificates.flatMap((certificate) => certificate?.facts ?? []),
    roots: chain.roots.map(({ facts }) => facts),
    anchor: anchor?.facts ?? null,
    issuers: issuers.map(({ facts }) => facts),
    peering: presented === undefined || state !== 'Available' ? null : { presented, verifier },
    owners: findOwners({ ...who, node }, context.usersOf),
    use,
    entry,
  };
}

/** An answer's own time where that is noticeably not the reference time, that of the first list. */
function timeOf({ at }: Answer, reference: number): number {
  return at !== undefined && Math.abs(at.getTime() - reference) >= NOTICEABLE_MS ? at.getTime() : reference;
}

/** The API server's clock is read in whole seconds. */
const NOTICEABLE_MS = 1000;

const UNREADABLE = { paths: [], problem: undefined };

/** Roots that came with any certificate: one of them may have signed a leaf whose own roots have not. */
function listRoots(answers: readonly Answer[], read: CertificateReader): readonly ParsedCertificate[] {
  const known = new Map<string, ParsedCertificate>();
  for (const { dump } of answers) {
    for (const { roots = [] } of dump.certificates) {
      for (const root of roots) {
        const parsed = read(root);
        if (parsed !== undefined) known.set(parsed.facts.fingerprintSHA256, parsed);
      }
    }
  }
  return [...known.values()];
}

/** A dump that was not read so far is taken to be of the same build as those that were. */
function createProviderLookup(answers: readonly Answer[]): (answer: Answer) => CryptoProvider {
  const names = new Set(answers.flatMap(({ dump }) => dump.cryptoProvider ?? []));
  const usual = names.size === 1 ? [...names][0] : undefined;
  return ({ dump }) => providerOf(dump.cryptoProvider ?? usual);
}

function findUse(
  { node, trustDomain, namespace, serviceAccount }: Names & Pick<CertificateItem, 'node'>,
  { ztunnel }: Answer,
  { useOf }: Context,
): Use {
  if (node === null || trustDomain === null || namespace === null || serviceAccount === null)
    return NOT_KNOWN;
  return useOf({ node, trustDomain, namespace, serviceAccount, ztunnel: keyOfZtunnel(ztunnel) });
}

const NOT_KNOWN: Use = { state: 'unknown', oldestSeconds: undefined, settled: undefined };

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

/** Nobody presents it. */
function ease(severity: Severity): Severity {
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

function joinMissing(
  { node, use, ...identity }: MissingIdentity,
  owners: Owners,
  isOutage: boolean,
): CertificateItem {
  // ztunnel fetches ahead one after another, and waits for an answer each time.
  const reason = isOutage
    ? 'not fetched yet: the ztunnel of this node can not reach the CA'
    : 'no ztunnel on this node lists it';
  return {
    identity: formatIdentity(identity),
    ...identity,
    principal: formatPrincipal(identity),
    node,
    ztunnel: null,
    state: null,
    ...weighByAge({ status: 'MISSING', severity: 'critical', reason }, use),
    ...NOTHING_KNOWN,
    chain: [],
    roots: [],
    anchor: null,
    issuers: [],
    peering: null,
    owners,
    use,
    entry: undefined,
  };
}
