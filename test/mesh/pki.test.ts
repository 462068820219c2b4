// The certificates made for tests are what they claim to be, as node:crypto and another TLS stack would see them.

import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { authoritiesAt } from './authorities.ts';
import { issueLeaf, validity } from './pki.ts';

const AT = '2026-11-29T22:03:42Z';
const WEB = 'spiffe://cluster.local/ns/shop/sa/web';

describe('a leaf', () => {
  test('carries the dates, the name and the issuer that were asked for', async () => {
    const { intermediate } = await authoritiesAt(AT);
    const leaf = await issueLeaf(intermediate, { uris: [WEB], ...validity(AT, -120, 86_400) });
    const parsed = new X509Certificate(leaf.pem);
    expect(leaf).toMatchObject({
      validFrom: '2026-11-29T22:01:42Z',
      expirationTime: '2026-11-30T22:03:42Z',
    });
    expect(parsed.validFromDate.toISOString()).toBe('2026-11-29T22:01:42.000Z');
    expect(parsed.validToDate.toISOString()).toBe('2026-11-30T22:03:42.000Z');
    expect(parsed.subjectAltName).toBe(`URI:${WEB}`);
    expect(parsed.subject ?? '').toBe('');
    expect(parsed.issuer).toBe('O=cluster.local\nCN=Intermediate CA');
    expect(parsed.ca).toBe(false);
    expect(BigInt(leaf.serialNumber)).toBe(BigInt(`0x${parsed.serialNumber}`));
  });
});

describe('the authorities', () => {
  test('form chains that verify, and the stranger is signed by none of them', async () => {
    const all = await authoritiesAt(AT);
    const parse = (pem: string) => new X509Certificate(pem);
    const root = parse(all.root.certificate.pem);
    const verifies = (of: { pem: string }, by: X509Certificate) => parse(of.pem).verify(by.publicKey);
    const leaf = await issueLeaf(all.intermediate, { uris: [WEB], ...validity(AT, -120, 86_400) });
    expect(verifies(leaf, parse(all.intermediate.certificate.pem))).toBe(true);
    expect(verifies(all.intermediate.certificate, root)).toBe(true);
    expect(verifies(all.expiredIntermediate.certificate, root)).toBe(true);
    expect(verifies(all.root.certificate, root)).toBe(true);
    expect(root.ca).toBe(true);
    expect(verifies(all.nextIntermediate.certificate, parse(all.nextRoot.certificate.pem))).toBe(true);
    expect(verifies(all.nextIntermediate.certificate, root)).toBe(false);
    expect(verifies(all.stranger.certificate, root)).toBe(false);
    expect(new Date(all.expiredIntermediate.certificate.expirationTime) < new Date(AT)).toBe(true);
  });

  test('are made once per time and trust domain', async () => {
    expect(await authoritiesAt(AT)).toBe(await authoritiesAt(new Date(AT)));
    expect(await authoritiesAt(AT)).not.toBe(await authoritiesAt(AT, 'other.example'));
  });
});
