// What of a certificate decides whether rustls-webpki takes it, read from its DER as that library reads it.

import { createHash } from 'node:crypto';
import { nameKey, nameSignature, type PublicKeyName } from './algorithms.ts';
import {
  attempt,
  constructed,
  DerError,
  type Element,
  expectTag,
  hexOf,
  readChildren,
  readOnly,
  readSmallInteger,
  TAG,
} from './der.ts';
import { type GeneralName, type NameConstraints, readExtensions } from './extensions.ts';

/** All values are plain, so that a redacted dump can hold them in place of the certificate. */
export interface TlsFacts {
  /** DER in hex: rustls compares names byte by byte. */
  readonly issuerName: string;
  readonly subjectName: string;
  /** SHA-256 of the public key with its algorithm, in hex: two certificates of one key have the same. */
  readonly key: string;
  /** `P-256`, `RSA 2048`, or an object identifier that has no name here. */
  readonly keyName: PublicKeyName;
  /** `ecdsa-with-SHA256`, or an object identifier that has no name here. */
  readonly signature: string;
  readonly isAuthority: boolean;
  readonly pathLength: number | null;
  /** Object identifiers of the extended key usage; null without one: then every use is allowed. */
  readonly usages: readonly string[] | null;
  readonly names: readonly GeneralName[];
  readonly constraints: NameConstraints | null;
  /** Why it can't be a leaf or an intermediate, as a phrase that follows its name; null if it can. */
  readonly defect: string | null;
  /** The same for a root, of which only name, key and constraints are taken. */
  readonly anchorDefect: string | null;
}

/** Reads a whole certificate. Never throws: one that is no DER has a defect and no names. */
export function readTlsFacts(der: Uint8Array): TlsFacts {
  return attempt(() => readCertificate(der)) ?? NOT_DER;
}

const UNREADABLE = 'is not encoded as X.509 asks for (DER)';

const NOT_DER: TlsFacts = {
  issuerName: '',
  subjectName: '',
  key: '',
  keyName: '',
  signature: '',
  isAuthority: false,
  pathLength: null,
  usages: null,
  names: [],
  constraints: null,
  defect: UNREADABLE,
  anchorDefect: UNREADABLE,
};

const VERSION = constructed(0);

function readCertificate(der: Uint8Array): TlsFacts {
  const whole = readOnly(der, 0, der.length, TAG.sequence);
  const [tbs, algorithm, signed, ...others] = readChildren(der, whole);
  const outer = expectTag(algorithm, TAG.sequence);
  readBits(der, signed);
  if (others.length > 0) throw new DerError('more than a certificate');
  const fields = [...readChildren(der, expectTag(tbs, TAG.sequence))];
  const version = fields[0]?.tag === VERSION ? readVersion(der, fields.shift()!) : 1;
  const [serial, inner, issuer, validity, subject, key, ...rest] = fields;
  for (const each of [inner, issuer, validity, subject, key]) expectTag(each, TAG.sequence);
  expectTag(serial, TAG.integer);
  const signature = hexOf(der, outer.from, outer.to);
  const found = readExtensions(der, rest, version);
  const differs = hexOf(der, inner!.from, inner!.to) !== signature;
  const old = version === 3 ? undefined : `is of X.509 version ${version}, not 3`;
  const broken = differs ? 'names two signature algorithms' : found.broken;
  // Of a root of version 1 webpki takes name and key, if there is nothing behind them.
  const plain = version === 1 && rest.length === 0;
  return {
    issuerName: hexOf(der, issuer!.from, issuer!.to),
    subjectName: hexOf(der, subject!.from, subject!.to),
    key: createHash('sha256').update(der.subarray(key!.begin, key!.to)).digest('hex'),
    keyName: nameKey(der, key!),
    signature: nameSignature(signature, der, outer),
    isAuthority: found.isAuthority,
    pathLength: found.pathLength,
    usages: found.usages,
    names: found.names,
    constraints: found.constraints,
    defect: old ?? broken ?? found.unknown ?? found.malformed ?? null,
    anchorDefect: plain ? null : (old ?? broken ?? null),
  };
}

function readVersion(der: Uint8Array, field: Element): number {
  return readSmallInteger(der, readOnly(der, field.from, field.to, TAG.integer)) + 1;
}

/** A bit string of whole bytes: everything but its first byte. */
function readBits(der: Uint8Array, element: Element | undefined): void {
  const { from, to } = expectTag(element, TAG.bitString);
  if (from === to || der[from] !== 0) throw new DerError('bits that are no bytes');
}
