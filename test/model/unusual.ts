// Certificates that no well-behaved authority makes.

import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { DumpCertificate } from '../../src/model/dump.ts';
import { type Authority, issueLeaf, validity } from '../mesh/pki.ts';
import { HOUR, START } from './chains.ts';
import { CART } from './values.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = validity(START, 0, 24 * HOUR);

interface Request {
  readonly subject: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly issuer: Authority;
  readonly isAuthority: boolean;
  readonly serialNumber?: string;
}

async function create({ subject, keys, issuer, isAuthority, serialNumber }: Request): Promise<Authority> {
  const certificate = await x509.X509CertificateGenerator.create({
    ...day,
    ...(serialNumber && { serialNumber }),
    signingAlgorithm: ALGORITHM,
    subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: issuer.keys.privateKey,
    extensions: [new x509.BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  const text = { pem: certificate.toString('pem'), serialNumber: '', validFrom: '', expirationTime: '' };
  return { certificate: text, subject, keys, x509: certificate };
}

/** `CN=No CA`, signed by the issuer with CA:FALSE, and a leaf of CART below it. */
export async function createNonAuthority(
  issuer: Authority,
): Promise<{ readonly notAuthority: DumpCertificate; readonly leaf: DumpCertificate }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const authority = await create({ subject: 'CN=No CA', keys, issuer, isAuthority: false });
  const leaf = await issueLeaf(authority, { uris: [CART], ...day });
  return { notAuthority: authority.certificate, leaf };
}

/** An authority so many times again, with its key and name: each of them has issued each other. */
export function createRenewals(authority: Authority, count: number): Promise<readonly Authority[]> {
  const { subject, keys } = authority;
  return Promise.all(
    Array.from({ length: count }, () => create({ subject, keys, issuer: authority, isAuthority: true })),
  );
}

/** The authority's own certificate without CA:TRUE, as `openssl x509 -signkey` makes roots. */
export async function createPlainRoot(authority: Authority): Promise<DumpCertificate> {
  const { subject, keys } = authority;
  return (await create({ subject, keys, issuer: authority, isAuthority: false })).certificate;
}

/** A certificate of a name with this serial number, given in hex. */
export async function createNumbered(issuer: Authority, serialNumber: string): Promise<DumpCertificate> {
  const { keys } = issuer;
  const made = await create({ subject: 'CN=Numbered', keys, issuer, isAuthority: false, serialNumber });
  return made.certificate;
}
