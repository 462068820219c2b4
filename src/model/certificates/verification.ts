// How chains are verified against roots so that what many certificates have in common is looked at once.

import { createMemo } from '../../base/cache.ts';
import { type CryptoProvider, DEFAULT_PROVIDER } from './algorithms.ts';
import type { Chain } from './chain.ts';
import { type PathSearch, type PresentedChain, type SearchPaths, searchPaths } from './paths.ts';
import type { ParsedCertificate } from './x509.ts';

/**
 * What certificates present that no verifier tells apart: signed with one key under one name, with the same intermediates,
 * for the same uses. Dates and identities of the leaves differ.
 */
export interface Presented {
  readonly key: string;
  /** Of one certificate, for all of them. */
  readonly chain: PresentedChain;
}

/** What verifies: the roots that came with a certificate, and the cryptography of the ztunnel that has them. */
export interface Verifier {
  readonly key: string;
  /** By fingerprint. */
  readonly roots: readonly ParsedCertificate[];
  /** False for dumps from before `rootCerts` (1.24.6, 1.25.3), which show only the first root of each certificate. */
  readonly complete: boolean;
  readonly provider: CryptoProvider;
}

export interface Verification {
  /** undefined without a readable leaf. `others` are roots that came with other certificates. */
  readonly presentedBy: (chain: Chain, others: () => readonly ParsedCertificate[]) => Presented | undefined;
  readonly verifierOf: (chain: Chain, provider: CryptoProvider) => Verifier;
  /** Each pair of the two is looked at once. */
  readonly verify: (presented: Presented, verifier: Verifier) => PathSearch;
}

const REMEMBERED = 2_000;

/** `search` is searchPaths, unless a test counts how often it is asked. */
export function createVerification(search: SearchPaths = searchPaths): Verification {
  const presenteds = new Map<string, Presented>();
  const verifiers = new Map<string, Verifier>();
  const searches = createMemo<string, PathSearch>(REMEMBERED);
  return {
    presentedBy: ({ leaf, intermediates, roots }, others) => {
      if (leaf === undefined) return undefined;
      const readable = intermediates.filter((each) => each !== undefined);
      const signer = findSigner(leaf, [...readable, ...roots]) ?? findSigner(leaf, others());
      const key = keyOf(leaf, readable, signer);
      return remember(presenteds, key, () => ({ key, chain: { leaf, intermediates: readable } }));
    },
    verifierOf: ({ roots, rootsShown }, provider) => {
      const complete = rootsShown === 'all';
      const prints = roots.map(printOf).toSorted();
      const key = `${provider} ${complete} ${prints.join()}`;
      return remember(verifiers, key, () => ({
        key,
        roots: roots.toSorted((a, b) => (printOf(a) < printOf(b) ? -1 : 1)),
        complete,
        provider,
      }));
    },
    verify: (presented, { key, roots, provider }) =>
      searches(`${presented.key}\n${key}`, () => search(presented.chain, roots, provider)),
  };
}

/** What a dump's `version.cryptoProvider` comes to. */
export function providerOf(name: string | undefined): CryptoProvider {
  return name === 'tls-ring' ? name : DEFAULT_PROVIDER;
}

/** All that a verifier asks of a chain, dates apart. Leaves that nobody known has signed are alike: nobody takes them. */
function keyOf(
  leaf: ParsedCertificate,
  intermediates: readonly ParsedCertificate[],
  signer: ParsedCertificate | undefined,
): string {
  const { issuerName, keyName, signature, isAuthority, usages, names, defect } = leaf.tls;
  // Constraints refuse URIs as such, so that which they are does not matter.
  const kinds = names.every(({ kind }) => kind === 'uri') ? names.length > 0 : names;
  return JSON.stringify([
    signer?.tls.key ?? null,
    issuerName,
    intermediates.map(printOf),
    [usages, isAuthority, keyName, signature, defect, kinds],
  ]);
}

/** So many are tried, as of those that a search follows. */
const MOST_ISSUERS = 200;

function findSigner(
  leaf: ParsedCertificate,
  issuers: readonly ParsedCertificate[],
): ParsedCertificate | undefined {
  return issuers
    .filter(({ tls }) => tls.subjectName === leaf.tls.issuerName)
    .slice(0, MOST_ISSUERS)
    .find((issuer) => leaf.isSignedBy(issuer));
}

function printOf({ facts }: ParsedCertificate): string {
  return facts.fingerprintSHA256;
}

function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
