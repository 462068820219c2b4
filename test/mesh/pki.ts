// How certificates are made for tests: authorities and leaves of any age, issued when they are asked for.

import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { DumpCertificate } from '../../src/model/dump.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const CLIENT_AND_SERVER = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'];
// Its own declarations name the browser's Crypto type, which this project does not load.
x509.cryptoProvider.set(webcrypto as never);

/** When a certificate is valid; X.509 keeps whole seconds. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Something that signs: a root or an intermediate. */
export interface Authority {
  /** As a config dump lists it, PEM text not wrapped in base64. */
  readonly certificate: DumpCertificate;
  readonly subject: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly x509: x509.X509Certificate;
}

/** What a leaf is issued for: SPIFFE names for a workload, DNS names and addresses for a server. */
export interface LeafRequest extends Validity {
  readonly uris?: readonly string[];
  readonly dns?: readonly string[];
  readonly ips?: readonly string[];
}

/** A validity that begins and ends so many seconds after (or, negative, before) `at`. */
export function validity(at: Date | string, fromSeconds: number, toSeconds: number): Validity {
  const whole = Math.floor(new Date(at).getTime() / 1000);
  return {
    notBefore: new Date((whole + fromSeconds) * 1000),
    notAfter: new Date((whole + toSeconds) * 1000),
  };
}

/** A self-signed authority. `subject` is a distinguished name, such as `O=cluster.local,CN=Root CA`. */
export async function createRoot(subject: string, when: Validity): Promise<Authority> {
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...common(when),
    subject,
    issuer: subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: await authorityExtensions(keys, keys),
  });
  return authority(subject, keys, certificate);
}

/** An authority signed by another one. */
export async function createIntermediate(
  issuer: Authority,
  subject: string,
  when: Validity,
): Promise<Authority> {
  const keys = await createKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...common(when),
    subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions: await authorityExtensions(keys, issuer.keys),
  });
  return authority(subject, keys, certificate);
}

/** A leaf as istiod issues them: empty subject, names in a critical SAN. All leaves share one key. */
export async function issueLeaf(issuer: Authority, request: LeafRequest): Promise<DumpCertificate> {
  const keys = await leafKeys();
  const names = [
    ...(request.uris ?? []).map((value) => ({ type: 'url' as const, value })),
    ...(request.dns ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(request.ips ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    ...common(request),
    subject: '',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(CLIENT_AND_SERVER),
      new x509.BasicConstraintsExtension(false, undefined, true),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names, true)] : []),
    ],
  });
  return asDumpCertificate(certificate);
}

/** The private key that belongs to every leaf, as PKCS #8 PEM text. It is made per process and never stored. */
export async function leafPrivateKey(): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', (await leafKeys()).privateKey);
  const lines = (
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
}

let sharedLeafKeys: Promise<webcrypto.CryptoKeyPair> | undefined;

function leafKeys(): Promise<webcrypto.CryptoKeyPair> {
  sharedLeafKeys ??= createKeys();
  return sharedLeafKeys;
}

async function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function common(when: Validity) {
  return { notBefore: when.notBefore, notAfter: when.notAfter, signingAlgorithm: ALGORITHM };
}

async function authorityExtensions(own: webcrypto.CryptoKeyPair, issuer: webcrypto.CryptoKeyPair) {
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    await x509.SubjectKeyIdentifierExtension.create(own.publicKey),
    await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
  ];
}

function authority(subject: string, keys: webcrypto.CryptoKeyPair, cert: x509.X509Certificate): Authority {
  return { subject, keys, x509: cert, certificate: asDumpCertificate(cert) };
}

function asDumpCertificate(certificate: x509.X509Certificate): DumpCertificate {
  return {
    pem: `${certificate.toString('pem').trim()}\n`,
    serialNumber: BigInt(`0x${certificate.serialNumber}`).toString(),
    validFrom: seconds(certificate.notBefore),
    expirationTime: seconds(certificate.notAfter),
  };
}

function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}
