// Which keys and signatures ztunnel's cryptography accepts: rustls with aws-lc-rs or with ring.

import { type Element, hexOf, readChildren, readOid, TAG } from './der.ts';

/** As `version.cryptoProvider` of a dump names them; others are taken for aws-lc, which is ztunnel's default. */
export type CryptoProvider = 'tls-ring' | 'tls-aws-lc';

/** What verifies where the dump does not say. */
export const DEFAULT_PROVIDER: CryptoProvider = 'tls-aws-lc';

/** `P-256`, `Ed25519`, `RSA 2048`, or an object identifier. */
export type PublicKeyName = string;

/** The DER of an AlgorithmIdentifier in hex, without its own tag: parameters count. */
const SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['06082a8648ce3d040302', 'ecdsa-with-SHA256'],
  ['06082a8648ce3d040303', 'ecdsa-with-SHA384'],
  ['06082a8648ce3d040304', 'ecdsa-with-SHA512'],
  ['06032b6570', 'Ed25519'],
  ...(['0b', '0c', '0d'] as const).flatMap((hash, index) => {
    const name = `RSA with ${['SHA-256', 'SHA-384', 'SHA-512'][index]}`;
    // With NULL as parameters, as it should be, and without.
    return [
      [`06092a864886f70d0101${hash}0500`, name],
      [`06092a864886f70d0101${hash}`, name],
    ] as const;
  }),
  ...(
    [
      ['01', '20', 'SHA-256'],
      ['02', '30', 'SHA-384'],
      ['03', '40', 'SHA-512'],
    ] as const
  ).map(([hash, salt, name]) => {
    const digest = `300d06096086480165030402${hash}0500`;
    const mask = `301a06092a864886f70d010108${digest}`;
    return [
      `06092a864886f70d01010a3034a00f${digest}a11c${mask}a2030201${salt}`,
      `RSA-PSS with ${name}`,
    ] as const;
  }),
]);

/** What a certificate may have been signed with that nobody takes any more, by object identifier. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.2', 'RSA with MD2'],
  ['1.2.840.113549.1.1.4', 'RSA with MD5'],
  ['1.2.840.113549.1.1.5', 'RSA with SHA-1'],
  ['1.2.840.113549.1.1.14', 'RSA with SHA-224'],
  ['1.2.840.113549.1.1.10', 'RSA-PSS with parameters of its own'],
  ['1.2.840.10045.4.1', 'ECDSA with SHA-1'],
  ['1.2.840.10045.4.3.1', 'ECDSA with SHA-224'],
  ['1.2.840.10040.4.3', 'DSA with SHA-1'],
  ['2.16.840.1.101.3.4.3.1', 'DSA with SHA-224'],
  ['2.16.840.1.101.3.4.3.2', 'DSA with SHA-256'],
  ['1.3.101.113', 'Ed448'],
]);

const KEYS: ReadonlyMap<string, string> = new Map([
  ['06072a8648ce3d020106082a8648ce3d030107', 'P-256'],
  ['06072a8648ce3d020106052b81040022', 'P-384'],
  ['06072a8648ce3d020106052b81040023', 'P-521'],
  ['06072a8648ce3d020106052b81040021', 'P-224'],
  ['06072a8648ce3d020106052b8104000a', 'secp256k1'],
  ['06032b6570', 'Ed25519'],
  ['06032b6571', 'Ed448'],
]);

const RSA = '06092a864886f70d0101010500';

const OTHER_KEYS: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.1', 'RSA without parameters'],
  ['1.2.840.113549.1.1.10', 'RSA-PSS'],
  ['1.2.840.10040.4.1', 'DSA'],
  ['1.2.840.10045.2.1', 'on another curve'],
]);

/** The name of a signature algorithm, given its AlgorithmIdentifier's content in hex. */
export function nameSignature(content: string, der: Uint8Array, algorithm: Element): string {
  const known = SIGNATURES.get(content);
  if (known !== undefined) return known;
  const id = readFirstOid(der, algorithm);
  return REFUSED.get(id) ?? id;
}

/** The name of a SubjectPublicKeyInfo's key. */
export function nameKey(der: Uint8Array, info: Element): PublicKeyName {
  const [algorithm, bits] = readChildren(der, info);
  if (algorithm === undefined || bits?.tag !== TAG.bitString) return '';
  const content = hexOf(der, algorithm.from, algorithm.to);
  if (content === RSA) return `RSA ${countModulusBits(der, bits) ?? 'unreadable'}`;
  const id = readFirstOid(der, algorithm);
  const name = KEYS.get(content) ?? OTHER_KEYS.get(id) ?? id;
  // A point in its short form begins with 2 or 3 (and a bit string with the number of unused bits).
  const isCompressed = name.startsWith('P-') && der[bits.from + 1] !== 4;
  return isCompressed ? `${name} compressed` : name;
}

function readFirstOid(der: Uint8Array, algorithm: Element): string {
  const [id] = readChildren(der, algorithm);
  return id?.tag === TAG.oid ? readOid(der, id) : '';
}

/** `BIT STRING { SEQUENCE { INTEGER modulus, … } }`; undefined for anything else. */
function countModulusBits(der: Uint8Array, bits: Element): number | undefined {
  const [sequence] = readChildren(der, { from: bits.from + 1, to: bits.to });
  const [modulus] = sequence?.tag === TAG.sequence ? readChildren(der, sequence) : [];
  if (modulus?.tag !== TAG.integer) return undefined;
  let from = modulus.from;
  while (from < modulus.to && der[from] === 0) from += 1;
  return from === modulus.to ? 0 : (modulus.to - from) * 8 - Math.clz32(der[from]!) + 24;
}

const CURVES = {
  'tls-aws-lc': ['P-256', 'P-384', 'P-521', 'P-256 compressed', 'P-384 compressed', 'P-521 compressed'],
  'tls-ring': ['P-256', 'P-384'],
} as const satisfies Record<CryptoProvider, readonly string[]>;

const CURVE_HASHES = {
  'tls-aws-lc': ['ecdsa-with-SHA256', 'ecdsa-with-SHA384', 'ecdsa-with-SHA512'],
  'tls-ring': ['ecdsa-with-SHA256', 'ecdsa-with-SHA384'],
} as const satisfies Record<CryptoProvider, readonly string[]>;

const LEAST_BITS = 2048;
const MOST_BITS = 8192;

/** What a provider verifies signatures with, as webpki's tables of algorithms say. */
export function isKeyAccepted(name: PublicKeyName, provider: CryptoProvider): boolean {
  if (name === 'Ed25519' || (CURVES[provider] as readonly string[]).includes(name)) return true;
  const bits = /^RSA (\d+)$/.exec(name)?.[1];
  return bits !== undefined && Number(bits) >= LEAST_BITS && Number(bits) <= MOST_BITS;
}

/** Whether it can be verified at all, and with a key of that name. */
export function isSignatureAccepted(signature: string, provider: CryptoProvider): boolean {
  if ((CURVE_HASHES['tls-aws-lc'] as readonly string[]).includes(signature)) {
    return (CURVE_HASHES[provider] as readonly string[]).includes(signature);
  }
  return ACCEPTED.has(signature);
}

const ACCEPTED: ReadonlySet<string> = new Set(SIGNATURES.values());

/** Whether a signature of that algorithm can be of that key. */
export function isOfKind(signature: string, key: PublicKeyName): boolean {
  if (signature.startsWith('ecdsa-')) return /^(?:P-|secp|on another curve)/.test(key);
  return signature.startsWith('RSA') ? key.startsWith('RSA ') : signature === key;
}
