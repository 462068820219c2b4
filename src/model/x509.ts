// What a PEM text says as an X.509 certificate.

import { type KeyObject, X509Certificate } from 'node:crypto';
import { createMemo } from './cache.ts';
import { formatTime } from './duration.ts';
import { parseUriNames } from './san.ts';
import type { SerialNumber, X509Facts } from './types.ts';

/** One readable certificate: its facts for people, and what judging it needs. Times are in ms since 1970. */
export interface ParsedCertificate {
  readonly facts: X509Facts;
  readonly notBefore: number;
  readonly notAfter: number;
  /** The URIs of its subject alternative name, as they stand. */
  readonly uris: readonly string[];
  /** Basic constraints CA:TRUE. */
  readonly isAuthority: boolean;
  readonly x509: X509Certificate;
  /** undefined for a key that this OpenSSL does not read. */
  readonly publicKey: () => KeyObject | undefined;
}

/** undefined for text that is no readable certificate. */
export type CertificateReader = (pem: string) => ParsedCertificate | undefined;

// Most texts of a mesh are the same few intermediates and roots; leaves pass through.
const REMEMBERED = 2_000;

/** A reader that parses each distinct PEM text in use once. */
export function createCertificateReader(): CertificateReader {
  const memo = createMemo<string, ParsedCertificate | undefined>(REMEMBERED);
  return (pem) => memo(pem, () => parseCertificate(pem));
}

/** Reads the first certificate of a PEM text; never throws. */
export function parseCertificate(pem: string): ParsedCertificate | undefined {
  // X509Certificate takes DER as well, which a dump never holds.
  if (!pem.includes('-----BEGIN')) return undefined;
  try {
    return describe(new X509Certificate(pem));
  } catch {
    return undefined;
  }
}

function describe(x509: X509Certificate): ParsedCertificate {
  const notBefore = x509.validFromDate.getTime();
  const notAfter = x509.validToDate.getTime();
  let key: KeyObject | null | undefined = null;
  return {
    facts: {
      subject: formatName(x509.subject),
      issuer: formatName(x509.issuer),
      // An unreadable date makes formatTime throw: a certificate without dates can't be judged.
      notBefore: formatTime(notBefore),
      notAfter: formatTime(notAfter),
      serialNumber: parseHexSerial(x509.serialNumber),
      fingerprintSHA256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
      pem: x509.toString(),
    },
    notBefore,
    notAfter,
    uris: parseUriNames(x509.subjectAltName ?? ''),
    isAuthority: x509.ca,
    x509,
    publicKey: () => {
      if (key === null) key = readKey(x509);
      return key;
    },
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
  return serialNumber(sign, BigInt(`0x${digits}`));
}

/** Reads a serial number from the decimal text of a dump, without loss; undefined for other text. */
export function parseDecimalSerial(text: string): SerialNumber | undefined {
  // RFC 5280 allows 20 bytes, which is 49 digits; some room is left for authorities that exceed it.
  const [, sign = '', digits] = /^(-?)(\d{1,100})$/.exec(text) ?? [];
  return digits === undefined ? undefined : serialNumber(sign, BigInt(digits));
}

function serialNumber(sign: string, magnitude: bigint): SerialNumber {
  const digits = magnitude.toString(16).toUpperCase();
  const hex = digits.padStart(digits.length + (digits.length % 2), '0');
  return { decimal: `${sign}${magnitude}`, hex: `${sign}${hex}` };
}
