// What is left of certificates in a redacted dump: the facts that they are judged by, under other names.

import { createMemo } from '../../base/cache.ts';
import type { GeneralName } from '../certificates/extensions.ts';
import { classifyReason, type ReasonKindName } from '../certificates/reasons.ts';
import { createCertificateReader, type ParsedCertificate } from '../certificates/x509.ts';
import type { CertificateEntry, DumpCertificate, JudgedFacts } from '../dump.ts';
import type { Names } from './names.ts';

/** Issuers that are tried for one certificate; no more are ever followed. */
const MOST_ISSUERS = 200;
const REMEMBERED = 2_000;

/** A function that takes everything out of an entry but what is judged of it. */
export function createCertificateRedaction(names: Names): (entry: CertificateEntry) => CertificateEntry {
  const read = createCertificateReader();
  const memo = createMemo<string, boolean>(REMEMBERED);
  const isSigned = (subject: ParsedCertificate, issuer: ParsedCertificate) =>
    memo(`${subject.facts.fingerprintSHA256} ${issuer.tls.key}`, () => subject.isSignedBy(issuer));
  const redactOne = (
    certificate: DumpCertificate,
    issuers: readonly ParsedCertificate[],
  ): DumpCertificate => {
    const { serialNumber, validFrom, expirationTime } = certificate;
    const plain = { pem: '', serialNumber: names.number(serialNumber), validFrom, expirationTime };
    const parsed = read(certificate);
    if (parsed === undefined) return plain;
    const named = issuers
      .filter(({ tls }) => tls.subjectName === parsed.tls.issuerName)
      .slice(0, MOST_ISSUERS);
    // A signature is of one key, whatever certificates that has.
    const signer = named.find((issuer) => isSigned(parsed, issuer));
    const signers = signer === undefined ? [] : [names.digest(signer.tls.key)];
    return { ...plain, facts: { ...redactFacts(parsed, names), signers } };
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

function redactFacts({ facts, uris, tls }: ParsedCertificate, names: Names): Omit<JudgedFacts, 'signers'> {
  return {
    subject: redactSubject(facts.subject, names),
    issuer: redactSubject(facts.issuer, names),
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    fingerprintSHA256: names.digest(facts.fingerprintSHA256),
    uris: uris.map(names.path),
    tls: {
      ...tls,
      issuerName: names.digest(tls.issuerName),
      subjectName: names.digest(tls.subjectName),
      key: names.digest(tls.key),
      keyName: redactOid(tls.keyName),
      signature: redactOid(tls.signature),
      usages: tls.usages?.map(redactOid) ?? null,
      names: redactNames(tls.names, names),
      constraints: tls.constraints && {
        permitted: redactNames(tls.constraints.permitted, names),
        excluded: redactNames(tls.constraints.excluded, names),
      },
      defect: tls.defect && redactOid(tls.defect),
      anchorDefect: tls.anchorDefect && redactOid(tls.anchorDefect),
    },
  };
}

/** Of which DNS names stay comparable; addresses do not, and are left out with the constraints on them. */
function redactNames(all: readonly GeneralName[], names: Names): readonly GeneralName[] {
  return all
    .filter(({ kind }) => kind !== 'ip')
    .map(({ kind, value }) => ({ kind, value: NAME_REDACTIONS[kind]?.(value, names) ?? value }));
}

const NAME_REDACTIONS: Readonly<
  Partial<Record<GeneralName['kind'], (value: string, names: Names) => string>>
> = {
  dns: (value, names) => names.name(value),
  uri: (value, names) => names.path(value),
};

/** An organisation's own object identifiers tell whose they are; those of standards stay. */
function redactOid(text: string): string {
  return text.replaceAll(/\b\d+(?:\.\d+){2,}\b/g, (oid) =>
    /^(?:2\.5\.29|1\.3\.6\.1\.5\.5\.7)\./.test(oid) ? oid : '1.3.6.1.4.1',
  );
}

/** As one common name; which attributes it had is nobody's business either. */
function redactSubject(text: string, names: Names): string {
  return text === '' ? '' : `CN=${names.digest(text).slice(0, 12)}`;
}

/** One text that ztunnel itself might have sent, for each kind of reason. */
export const REASON_TEXTS = {
  notNeeded: 'the identity is no longer needed',
  notTrusted:
    'signing gRPC error (The request does not have valid authentication credentials): request impersonation authentication failure',
  notAuthenticated: 'signing gRPC error (The request does not have valid authentication credentials)',
  permissionDenied: 'signing gRPC error (The caller does not have permission)',
  ttlRefused: 'requested TTL 0s is greater than the max allowed TTL 0s',
  notReady: 'signing gRPC error (Internal error): CSR signing error (Istio CA is not ready)',
  unreachable: 'signing gRPC error (The service is currently unavailable)',
  unexpectedSan: 'did not find expected SAN',
  emptyChain: 'chain returned from CA is empty',
  unreadable: 'failed to create CSR',
  workloadUnknown: 'workload is unknown',
  other: 'a reason of another kind',
} satisfies Record<ReasonKindName, string>;

/** Two lengths of time, which are nobody's secret and all that helps. */
const TTLS = /requested TTL [\dhms.µ]+ is greater than the max allowed TTL [\dhms.µ]+/;

/** States are free text, of which only the class of what stands in it is kept. */
function redactState(state: string): string {
  if (state === '' || state === 'Available' || state === 'Initializing') return state;
  if (!state.startsWith('Unavailable')) return 'of another kind';
  const reason = state.slice('Unavailable'.length).replace(/^: ?/, '');
  if (reason === '') return 'Unavailable';
  return `Unavailable: ${TTLS.exec(reason)?.[0] ?? REASON_TEXTS[classifyReason(reason)]}`;
}
