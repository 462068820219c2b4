// What is left of certificates in a redacted dump: the facts that they are judged by, under other names.

import { createMemo } from '../../base/cache.ts';
import { classifyReason, type ReasonKindName } from '../certificates/unavailable.ts';
import { createCertificateReader, type ParsedCertificate } from '../certificates/x509.ts';
import type { CertificateEntry, DumpCertificate, JudgedFacts } from '../dump.ts';
import type { Names } from './names.ts';

/** Links that are looked at of one certificate; no more are ever followed. */
const MOST_LINKS = 200;
const REMEMBERED = 2_000;

/** A function that takes everything out of an entry but what is judged of it. */
export function createCertificateRedaction(names: Names): (entry: CertificateEntry) => CertificateEntry {
  const read = createCertificateReader();
  const link = createMemo<string, string>(REMEMBERED);
  const verdictOf = (subject: ParsedCertificate, issuer: ParsedCertificate) =>
    link(`${printOf(subject)} ${printOf(issuer)}`, () => subject.findFlaw(issuer) ?? 'issued') as
      | 'issued'
      | 'otherIssuer'
      | 'badSignature';
  const redactOne = (
    certificate: DumpCertificate,
    issuers: readonly ParsedCertificate[],
  ): DumpCertificate => {
    const { serialNumber, validFrom, expirationTime } = certificate;
    const plain = { pem: '', serialNumber: names.number(serialNumber), validFrom, expirationTime };
    const parsed = read(certificate);
    if (parsed === undefined) return plain;
    const named = issuers.filter(({ facts }) => facts.subject === parsed.facts.issuer).slice(0, MOST_LINKS);
    const links = named.map((issuer) => [names.digest(printOf(issuer)), verdictOf(parsed, issuer)] as const);
    return { ...plain, facts: { ...redactFacts(parsed, names), links: new Map(links) } };
  };
  return ({ identity, state, chain, roots }) => {
    const all = [...chain, ...(roots ?? [])].flatMap((certificate) => read(certificate) ?? []);
    const redact = (certificate: DumpCertificate) => redactOne(certificate, all);
    return {
      identity: names.path(identity),
      state: redactState(state),
      chain: chain.map(redact),
      roots: roots?.map(redact),
      raw: undefined,
    };
  };
}

function printOf({ facts }: ParsedCertificate): string {
  return facts.fingerprintSHA256;
}

function redactFacts(parsed: ParsedCertificate, names: Names): Omit<JudgedFacts, 'links'> {
  const { facts, uris, isAuthority } = parsed;
  return {
    subject: redactSubject(facts.subject, names),
    issuer: redactSubject(facts.issuer, names),
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    fingerprintSHA256: names.digest(printOf(parsed)),
    uris: uris.map(names.path),
    isAuthority,
    isSelfIssued: parsed.isSelfIssued(),
  };
}

/** As one common name; which attributes it had is nobody's business either. */
function redactSubject(text: string, names: Names): string {
  return text === '' ? '' : `CN=${names.digest(text).slice(0, 12)}`;
}

/** One text that ztunnel itself might have sent, for each kind of reason. */
export const REASON_TEXTS = {
  notNeeded: 'the identity is no longer needed',
  notAuthenticated: 'signing gRPC error (The request does not have valid authentication credentials)',
  permissionDenied: 'signing gRPC error (The caller does not have permission)',
  unreachable: 'signing gRPC error (The service is currently unavailable)',
  unexpectedSan: 'did not find expected SAN',
  emptyChain: 'chain returned from CA is empty',
  unreadable: 'failed to create CSR',
  workloadUnknown: 'workload is unknown',
  other: 'a reason of another kind',
} satisfies Record<ReasonKindName, string>;

/** States are free text, of which only the class of what stands in it is kept. */
function redactState(state: string): string {
  if (state === '' || state === 'Available' || state === 'Initializing') return state;
  if (!state.startsWith('Unavailable')) return 'of another kind';
  const reason = state.slice('Unavailable'.length).replace(/^: ?/, '');
  return reason === '' ? 'Unavailable' : `Unavailable: ${REASON_TEXTS[classifyReason(reason)]}`;
}
