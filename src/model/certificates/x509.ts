// What a certificate of a dump says: its PEM text as an X.509 certificate, or the facts that are left of one.

import { type KeyObject, X509Certificate } from 'node:crypto';
import { createMemo, once } from '../../base/cache.ts';
import { formatTime } from '../../base/duration.ts';
import type { DumpCertificate, JudgedFacts } from '../dump.ts';
import type { SerialNumber, X509Facts } from '../items.ts';
import { readTlsFacts, type TlsFacts } from './tlsfacts.ts';

/** One readable certificate: its facts for people, and what judging it needs. Times are in ms since 1970. */
export interface ParsedCertificate {
  readonly facts: X509Facts;
  readonly notBefore: number;
  readonly notAfter: number;
  /** The URIs of its subject alternative name, as they stand. */
  readonly uris: readonly string[];
  /** What rustls asks of it. */
  readonly tls: TlsFacts;
  /** Checks its signature with the key of another one, whatever that one is called or may do. */
  readonly isSignedBy: (issuer: ParsedCertificate) => boolean;
  /** Its own bytes and key; undefined where only what is judged of it is known. */
  readonly source: CertificateSource | undefined;
}

interface CertificateSource {
  readonly x509: X509Certificate;
  /** undefined for a key that this OpenSSL does not read. */
  readonly publicKey: () => KeyObject | undefined;
}

/** undefined for what is no readable certificate. */
export type CertificateReader = (certificate: DumpCertificate) => ParsedCertificate | undefined;

// Most texts of a mesh are the same few intermediates and roots; leaves pass through.
const REMEMBERED = 2_000;

/** A reader that parses each distinct PEM text in use once. Facts stand for the text that a redacted dump lacks. */
export function createCertificateReader(): CertificateReader {
  const memo = createMemo<string, ParsedCertificate | undefined>(REMEMBERED);
  return ({ pem, facts, serialNumber }) =>
    facts === undefined
      ? memo(pem, () => parseCertificate(pem))
      : memo(facts.fingerprintSHA256, () => recallCertificate(facts, serialNumber));
}

/** Reads the first certificate of a PEM text; never throws. */
function parseCertificate(pem: string): ParsedCertificate | undefined {
  // X509Certificate takes DER as well, which a dump never holds.
  if (!pem.includes('-----BEGIN')) return undefined;
  try {
    return describe(new X509Certificate(pem), pem);
  } catch {
    return undefined;
  }
}

function describe(x509: X509Certificate, sent: string): ParsedCertificate {
  const text = x509.toString();
  const tls = readTlsFacts(decodePem(sent) ?? x509.raw);
  const notBefore = x509.validFromDate.getTime();
  const notAfter = x509.validToDate.getTime();
  return {
    facts: {
      subject: formatName(x509.subject),
      issuer: formatName(x509.issuer),
      // An unreadable date makes formatTime throw: a certificate without dates can't be judged.
      notBefore: formatTime(notBefore),
      notAfter: formatTime(notAfter),
      serialNumber: parseHexSerial(x509.serialNumber),
      fingerprintSHA256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      // Nearly always what was sent: 30,000 certificates hold their texts once.
      pem: text === sent ? sent : text,
    },
    notBefore,
    notAfter,
    uris: tls.names.filter(({ kind }) => kind === 'uri').map(({ value }) => value),
    tls,
    isSignedBy: ({ source }) => source !== undefined && isSignedBy(x509, source),
    // Keys are read when a link to them is looked at.
    source: { x509, publicKey: once(() => readKey(x509)) },
  };
}

const BEGIN = '-----BEGIN CERTIFICATE-----';

/** The bytes as they were sent: OpenSSL would write some of them anew. */
function decodePem(text: string): Uint8Array | undefined {
  const from = text.indexOf(BEGIN);
  const to = text.indexOf('-----END', from);
  return from === -1 || to === -1 ? undefined : Buffer.from(text.slice(from + BEGIN.length, to), 'base64');
}

function isSignedBy(subject: X509Certificate, { publicKey }: CertificateSource): boolean {
  const key = publicKey();
  try {
    return key !== undefined && subject.verify(key);
  } catch {
    return false;
  }
}

/** A certificate as what was judged of it. Throws nothing: dates that are none make it unreadable. */
function recallCertificate(facts: JudgedFacts, serialNumber: string): ParsedCertificate | undefined {
  const [notBefore, notAfter] = [Date.parse(facts.notBefore), Date.parse(facts.notAfter)];
  if (Number.isNaN(notBefore) || Number.isNaN(notAfter)) return undefined;
  const { subject, issuer, fingerprintSHA256, uris, tls, signers } = facts;
  return {
    facts: {
      subject,
      issuer,
      notBefore: formatTime(notBefore),
      notAfter: formatTime(notAfter),
      serialNumber: parseDecimalSerial(serialNumber) ?? serialNumberOf('', 0n),
      fingerprintSHA256,
      pem: '',
    },
    notBefore,
    notAfter,
    uris,
    tls,
    isSignedBy: (other) => signers.includes(other.tls.key),
    source: undefined,
  };
}

function readKey(x509: X509Certificate): KeyObject | undefined {
  try {
    return x509.publicKey;
  } catch {
    return undefined;
  }
}

/** Node gives one attribute a line; an empty name (as in a SPIFFE leaf) may come as undefined. */
function formatName(lines: string | undefined): string {
  return (lines ?? '').trim().split('\n').join(', ');
}

function parseHexSerial(text: string): SerialNumber {
  const [, sign = '', digits = ''] = /^(-?)([0-9A-Fa-f]+)$/.exec(text) ?? [];
  return serialNumberOf(sign, BigInt(`0x${digits}`));
}

/** Reads a serial number from the decimal text of a dump, without loss; undefined for other text. */
export function parseDecimalSerial(text: string): SerialNumber | undefined {
  // RFC 5280 allows 20 bytes, which is 49 digits; some room is left for authorities that exceed it.
  const [, sign = '', digits] = /^(-?)(\d{1,100})$/.exec(text) ?? [];
  return digits === undefined ? undefined : serialNumberOf(sign, BigInt(digits));
}

function serialNumberOf(sign: string, magnitude: bigint): SerialNumber {
  const digits = magnitude.toString(16).toUpperCase();
  const hex = digits.padStart(digits.length + (digits.length % 2), '0');
  return { decimal: `${sign}${magnitude}`, hex: `${sign}${hex}` };
}
