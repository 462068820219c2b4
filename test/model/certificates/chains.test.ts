// Which chains verify to a listed root, and how the broken link of the others is named.

import { describe, expect, test } from '@jest/globals';
import { splitChain } from '../../../src/model/certificates/chain.ts';
import { chooseTrust } from '../../../src/model/certificates/choice.ts';
import { searchPaths } from '../../../src/model/certificates/paths.ts';
import { createVerification } from '../../../src/model/certificates/verification.ts';
import { createCertificateReader } from '../../../src/model/certificates/x509.ts';
import type { DumpCertificate } from '../../../src/model/dump.ts';
import { type Authority, createIntermediate, createRoot, validity } from '../../mesh/pki.ts';
import { HOUR, intermediate, later, leaf, leafOf, mid, root, START } from '../chains.ts';
import { createNonAuthority, createPlainRoot, createRenewals } from '../unusual.ts';
import { available } from '../values.ts';

const DAY = 24 * HOUR;
const always = validity(START, -DAY, 30 * DAY);

function verify(chain: readonly DumpCertificate[], roots: readonly DumpCertificate[] | undefined, at = HOUR) {
  const split = splitChain(available(chain, roots), createCertificateReader());
  const { presentedBy, verifierOf, verify: search } = createVerification();
  const found = search(presentedBy(split, () => [])!, verifierOf(split, 'tls-aws-lc'));
  const { anchor, problem } = chooseTrust(split, found, later(at).getTime());
  return { root: anchor?.facts.subject, problem: problem?.text };
}

const pem = ({ certificate }: Authority) => certificate;
const second = await createIntermediate(intermediate, 'CN=Second CA', always);
const deepLeaf = await leafOf(second);
/** Same names as root and intermediate, other keys. */
const impostor = await createRoot('O=cluster.local,CN=Root CA', always);
const impostorMid = await createIntermediate(impostor, 'O=cluster.local,CN=Intermediate CA', always);
const expiredRoot = await createRoot('CN=Old Root', validity(START, -30 * DAY, HOUR));
const futureRoot = await createRoot('CN=New Root', validity(START, HOUR, 30 * DAY));
const rootName = 'O=cluster.local, CN=Root CA';

describe('verifies', () => {
  test.each([
    ['leaf, intermediate, root', [leaf, mid], [pem(root)]],
    ['two intermediates', [deepLeaf, pem(second), mid], [pem(root)]],
    ['intermediates in any order', [deepLeaf, mid, pem(second)], [pem(root)]],
    ['duplicates', [leaf, mid, mid], [pem(root), pem(root)]],
    ['the root in the chain as well', [leaf, mid, pem(root)], [pem(root)]],
    ['a stranger in the chain', [leaf, pem(impostorMid), mid], [pem(root)]],
    ['namesakes among the roots', [leaf, mid], [pem(impostor), pem(root)]],
    ['the root last in the chain, without rootCerts', [leaf, mid, pem(root)], undefined],
  ])('%s', (_name, chain, roots) => {
    expect(verify(chain, roots)).toEqual({ root: rootName, problem: undefined });
  });

  test('straight from a root', async () => {
    expect(verify([await leafOf(root)], [pem(root)])).toEqual({ root: rootName, problem: undefined });
  });

  test('to an intermediate that is listed as a root, since that is what is trusted', () => {
    expect(verify([leaf], [mid]).problem).toBeUndefined();
  });

  test('whatever the dates of the root', async () => {
    for (const authority of [expiredRoot, futureRoot]) {
      const found = verify(
        [await leafOf(authority)],
        [pem(authority)],
        authority === futureRoot ? 0 : 2 * HOUR,
      );
      expect(found).toEqual({ root: authority.subject, problem: undefined });
    }
  });
});

const midLabel = 'intermediate 1 (O=cluster.local, CN=Intermediate CA)';

describe('names the broken link', () => {
  test.each([
    [
      'intermediate not sent',
      [leaf],
      [pem(root)],
      'the leaf is issued by O=cluster.local, CN=Intermediate CA, which is not listed',
    ],
    [
      'root not listed',
      [leaf, mid],
      [pem(expiredRoot)],
      `${midLabel} is issued by O=cluster.local, CN=Root CA, which is not listed`,
    ],
    [
      'a CA as leaf, even one that is trusted',
      [pem(root)],
      [pem(root)],
      'the leaf is a CA (basic constraints), which no peer takes for a workload',
    ],
    [
      'end of the chain not listed',
      [leaf, mid, pem(root)],
      [pem(futureRoot)],
      'intermediate 2 (O=cluster.local, CN=Root CA) is self-signed and no listed root',
    ],
    [
      'namesake root',
      [leaf, mid],
      [pem(impostor)],
      `${midLabel} is not signed with the key of root ${rootName}`,
    ],
    [
      'namesake intermediate',
      [leaf, pem(impostorMid)],
      [pem(root)],
      `the leaf is not signed with the key of ${midLabel}`,
    ],
  ])('%s', (_name, chain, roots, problem) => {
    expect(verify(chain, roots)).toEqual({ root: undefined, problem });
  });

  test('a signature that was tampered with', async () => {
    const der = Buffer.from(leaf.pem.split('\n').slice(1, -2).join(''), 'base64');
    der[der.length - 1]! ^= 1;
    const body = der
      .toString('base64')
      .match(/.{1,64}/g)!
      .join('\n');
    const forged = { ...leaf, pem: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n` };
    expect(verify([forged, mid], [pem(root)]).problem).toBe(
      `the leaf is not signed with the key of ${midLabel}`,
    );
  });
});

test('an issuer that is no CA', async () => {
  const { notAuthority, leaf: below } = await createNonAuthority(root);
  expect(verify([below, notAuthority], [pem(root)]).problem).toBe(
    'the leaf is issued by intermediate 1 (CN=No CA), which is not a CA',
  );
});

test('a root needs no CA:TRUE, neither to be found last in the chain nor to be trusted', async () => {
  const plain = await createPlainRoot(root);
  const below = await leafOf(root);
  expect(verify([below, plain], undefined)).toEqual({ root: rootName, problem: undefined });
  expect(verify([below], [plain])).toEqual({ root: rootName, problem: undefined });
});

test('renewals of one authority, which have all issued each other, are not followed in circles', async () => {
  const renewals = await createRenewals(impostor, 16);
  const below = await leafOf(impostor);
  expect(verify([below, ...renewals.map(pem)], [pem(expiredRoot)]).problem).toBe(
    `intermediate 1 (${rootName}) is self-signed and no listed root`,
  );
  expect(verify([below, ...renewals.map(pem)], [pem(impostor)]).problem).toBeUndefined();
});

test('thousands of namesakes end in a sentence, not in minutes of signatures', async () => {
  const read = createCertificateReader();
  const counted = { checks: 0 };
  const [below, namesake] = [await leafOf(root), pem(impostor)].map((one) => {
    const parsed = read(one)!;
    return {
      ...parsed,
      isSignedBy: (issuer: typeof parsed) => {
        counted.checks += 1;
        return parsed.isSignedBy(issuer);
      },
    };
  });
  const many = Array.from({ length: 5_000 }, () => namesake!);
  const alone = searchPaths({ leaf: below!, intermediates: [] }, many, 'tls-aws-lc');
  expect(alone.problem?.text).toBe('too many certificates to follow');
  const between = searchPaths({ leaf: below!, intermediates: many }, [], 'tls-aws-lc');
  expect(between.problem?.text).toBe('too many certificates to follow');
  expect(counted.checks).toBeLessThanOrEqual(400);
});

describe('without rootCerts the last of the chain is the root', () => {
  const read = createCertificateReader();
  const subjects = (chain: readonly DumpCertificate[], roots: readonly DumpCertificate[] | undefined) => {
    const split = splitChain(available(chain, roots), read);
    return {
      intermediates: split.intermediates.map((one) => one?.facts.subject),
      roots: split.roots.map((one) => one.facts.subject),
    };
  };
  const midName = 'O=cluster.local, CN=Intermediate CA';

  test.each([
    ['self-signed', [leaf, mid, pem(root)], undefined, [midName], [rootName]],
    ['CA:TRUE, signed by another', [leaf, pem(second), mid], undefined, ['CN=Second CA'], [midName]],
    ['never the leaf', [pem(root)], undefined, [], []],
    ['not a leaf at the end', [leaf, leaf], undefined, [''], []],
    ['but rootCerts, even empty, leave the chain alone', [leaf, mid], [], [midName], []],
    ['rootCerts are not repeated in the chain', [leaf, mid, pem(root)], [pem(root)], [midName], [rootName]],
  ])('%s', (_name, chain, roots, intermediates, anchors) => {
    expect(subjects(chain, roots)).toEqual({ intermediates, roots: anchors });
  });
});
