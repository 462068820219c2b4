// How a test makes certificates of every kind, sound or not: DER written by hand, signed by node:crypto.

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { DumpCertificate } from '../../../src/model/dump.ts';

/** DER in pieces; text is ASCII. */
export function der(tag: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const NULL = der(0x05);

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const septets = [arc & 0x7f];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      septets.unshift((left & 0x7f) | 0x80);
    return septets;
  });
  return der(0x06, Buffer.from(bytes));
}

const KEYS = {
  'P-224': () => generateKeyPairSync('ec', { namedCurve: 'secp224r1' }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'secp521r1' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  'RSA 1024': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
  'RSA 2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA 3072': () => generateKeyPairSync('rsa', { modulusLength: 3072 }),
  'RSA-PSS': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  DSA: () => generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  Ed448: () => generateKeyPairSync('ed448'),
} as const;

export type KeyKind = keyof typeof KEYS;

const pss = (hash: string, salt: number): Buffer => {
  const digest = sequence(oid(hash), NULL);
  return sequence(
    der(0xa0, digest),
    der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), digest)),
    der(0xa2, der(0x02, Buffer.from([salt]))),
  );
};

interface Signature {
  readonly algorithm: Buffer;
  readonly hash: string | null;
  readonly options?: { readonly padding: number; readonly saltLength: number };
}

/** RSA_PKCS1_PSS_PADDING. */
const PSS = 6;

const SIGNATURES = {
  'ECDSA SHA-1': { algorithm: sequence(oid('1.2.840.10045.4.1')), hash: 'sha1' },
  'ECDSA SHA-224': { algorithm: sequence(oid('1.2.840.10045.4.3.1')), hash: 'sha224' },
  'ECDSA SHA-256': { algorithm: sequence(oid('1.2.840.10045.4.3.2')), hash: 'sha256' },
  'ECDSA SHA-384': { algorithm: sequence(oid('1.2.840.10045.4.3.3')), hash: 'sha384' },
  'ECDSA SHA-512': { algorithm: sequence(oid('1.2.840.10045.4.3.4')), hash: 'sha512' },
  'RSA MD5': { algorithm: sequence(oid('1.2.840.113549.1.1.4'), NULL), hash: 'md5' },
  'RSA SHA-1': { algorithm: sequence(oid('1.2.840.113549.1.1.5'), NULL), hash: 'sha1' },
  'RSA SHA-256': { algorithm: sequence(oid('1.2.840.113549.1.1.11'), NULL), hash: 'sha256' },
  'RSA SHA-256, no parameters': { algorithm: sequence(oid('1.2.840.113549.1.1.11')), hash: 'sha256' },
  'RSA SHA-384': { algorithm: sequence(oid('1.2.840.113549.1.1.12'), NULL), hash: 'sha384' },
  'RSA SHA-512': { algorithm: sequence(oid('1.2.840.113549.1.1.13'), NULL), hash: 'sha512' },
  'RSA-PSS SHA-256': {
    algorithm: sequence(oid('1.2.840.113549.1.1.10'), pss('2.16.840.1.101.3.4.2.1', 32)),
    hash: 'sha256',
    options: { padding: PSS, saltLength: 32 },
  },
  'RSA-PSS SHA-256, salt of 20': {
    algorithm: sequence(oid('1.2.840.113549.1.1.10'), pss('2.16.840.1.101.3.4.2.1', 20)),
    hash: 'sha256',
    options: { padding: PSS, saltLength: 20 },
  },
  'DSA SHA-256': { algorithm: sequence(oid('2.16.840.1.101.3.4.3.2')), hash: 'sha256' },
  Ed25519: { algorithm: sequence(oid('1.3.101.112')), hash: null },
  Ed448: { algorithm: sequence(oid('1.3.101.113')), hash: null },
} as const satisfies Record<string, Signature>;

export type SignatureKind = keyof typeof SIGNATURES;

/** What a key of a kind signs with unless something else is asked for. */
function usualSignature(kind: KeyKind): SignatureKind {
  if (kind === 'Ed25519' || kind === 'Ed448') return kind;
  if (kind === 'DSA') return 'DSA SHA-256';
  if (kind === 'RSA-PSS') return 'RSA-PSS SHA-256';
  return kind.startsWith('RSA') ? 'RSA SHA-256' : 'ECDSA SHA-256';
}

/** An extension as it stands in a certificate. */
export function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));
}

export const EXTENSIONS = {
  authority: (pathLength?: number) =>
    extension(
      '2.5.29.19',
      true,
      sequence(
        der(0x01, Buffer.from([0xff])),
        ...(pathLength === undefined ? [] : [der(0x02, Buffer.from([pathLength]))]),
      ),
    ),
  notAuthority: () => extension('2.5.29.19', true, sequence()),
  usages: (...ids: readonly string[]) => extension('2.5.29.37', false, sequence(...ids.map(oid))),
  /** Bits from the first: digitalSignature is 0x80, keyCertSign 0x04. */
  keyUsage: (bits: number) => extension('2.5.29.15', true, der(0x03, Buffer.from([0, bits]))),
  uri: (text: string) => extension('2.5.29.17', true, sequence(der(0x86, text))),
  names: (...names: readonly Uint8Array[]) => extension('2.5.29.17', true, sequence(...names)),
  constraints: (permitted: readonly Uint8Array[], excluded: readonly Uint8Array[]) =>
    extension(
      '2.5.29.30',
      true,
      sequence(
        ...(permitted.length === 0 ? [] : [der(0xa0, ...permitted.map((name) => sequence(name)))]),
        ...(excluded.length === 0 ? [] : [der(0xa1, ...excluded.map((name) => sequence(name)))]),
      ),
    ),
  keyId: (key: KeyObject) => extension('2.5.29.14', false, der(0x04, keyIdOf(key))),
  issuerKeyId: (key: KeyObject) => extension('2.5.29.35', false, sequence(der(0x80, keyIdOf(key)))),
} as const;

export const SERVER = '1.3.6.1.5.5.7.3.1';
export const CLIENT = '1.3.6.1.5.5.7.3.2';
export const ANY_USE = '2.5.29.37.0';

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** Something with a key: it can sign, and be signed. */
export interface Made {
  readonly der: Buffer;
  readonly pem: string;
  readonly name: Buffer;
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly kind: KeyKind;
  /** As a dump lists it. */
  readonly listed: DumpCertificate;
}

export interface Spec {
  readonly name?: string;
  /** How the name is written: rustls compares bytes, OpenSSL meanings. */
  readonly nameTag?: 0x0c | 0x13;
  /** Who signs; itself if none does. */
  readonly by?: Made;
  readonly key?: KeyKind;
  /** One that another certificate has already. */
  readonly keys?: Made['keys'];
  readonly signature?: SignatureKind;
  /** What the inside names instead. */
  readonly inner?: SignatureKind;
  readonly version?: 1 | 2 | 3;
  /** Seconds from START. */
  readonly from?: number;
  readonly to?: number;
  readonly extensions?: readonly Uint8Array[];
  /** Flips the last bit of the signature. */
  readonly forged?: boolean;
}

export const START = Date.parse('2026-06-01T00:00:00Z');
const DAY = 86_400;

let serial = 1000;

/** A certificate to order. Without a name the subject is empty, as istiod's leaves have it. */
export function make(spec: Spec): Made {
  const kind = spec.key ?? 'P-256';
  const keys = spec.keys ?? KEYS[kind]();
  const name = nameOf(spec.name, spec.nameTag);
  const signer = spec.by ?? { keys, kind, name };
  const signature: Signature = SIGNATURES[spec.signature ?? usualSignature(signer.kind)];
  serial += 1;
  const version = spec.version ?? 3;
  const tbs = sequence(
    ...(version === 1 ? [] : [der(0xa0, der(0x02, Buffer.from([version - 1])))]),
    der(0x02, Buffer.from([serial >> 8, serial & 0xff])),
    spec.inner === undefined ? signature.algorithm : SIGNATURES[spec.inner].algorithm,
    signer.name,
    sequence(timeOf(spec.from ?? -DAY), timeOf(spec.to ?? 30 * DAY)),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    ...(spec.extensions === undefined ? [] : [der(0xa3, sequence(...spec.extensions))]),
  );
  const signed = sign(signature.hash, tbs, { key: signer.keys.privateKey, ...signature.options });
  if (spec.forged) signed[signed.length - 1]! ^= 1;
  const whole = sequence(tbs, signature.algorithm, der(0x03, Buffer.from([0]), signed));
  return { der: whole, pem: pemOf(whole), name, keys, kind, listed: listedOf(whole) };
}

function nameOf(text: string | undefined, tag = 0x0c): Buffer {
  return text === undefined ? sequence() : sequence(der(0x31, sequence(oid('2.5.4.3'), der(tag, text))));
}

function timeOf(seconds: number): Buffer {
  const text = new Date(START + seconds * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return der(0x18, `${text}Z`);
}

export function pemOf(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

export function listedOf(bytes: Buffer): DumpCertificate {
  return { pem: pemOf(bytes), serialNumber: '1', validFrom: '', expirationTime: '' };
}
