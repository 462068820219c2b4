// Verification by the chains and dates of the certificates that dumps hold.

import { formatTime } from '../../base/duration.ts';
import { type Chain, splitChain } from '../certificates/chain.ts';
import { findValidity } from '../certificates/judge.ts';
import { createChainVerifier } from '../certificates/verify.ts';
import { createCertificateReader, type ParsedCertificate } from '../certificates/x509.ts';
import type { CertificateEntry } from '../dump.ts';
import type { Acceptance, EntryState, Verification } from './verification.ts';

const USES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** `at`: ztunnel's clock in ms since 1970. */
export function createVerification(at: number): Verification {
  const read = createCertificateReader();
  const verify = createChainVerifier();
  const chains = new WeakMap<CertificateEntry, Chain>();
  const chainOf = (entry: CertificateEntry): Chain => {
    const known = chains.get(entry) ?? splitChain(entry, read);
    chains.set(entry, known);
    return known;
  };
  const answers = new Map<string, Acceptance>();

  function accepts(
    verifier: CertificateEntry,
    presented: CertificateEntry,
    as: keyof typeof USES,
  ): Acceptance {
    const roots = chainOf(verifier);
    const shown = chainOf(presented);
    const key = `${as} ${printsOf(roots.roots)} ${printsOf([shown.leaf, ...shown.intermediates])}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = judge(roots, shown, as);
    answers.set(key, answer);
    return answer;
  }

  function judge(roots: Chain, shown: Chain, as: keyof typeof USES): Acceptance {
    const invalid = findInvalid(shown, at);
    if (invalid !== undefined) return { accepted: false, why: invalid };
    if (roots.rootsListed === 0) return { accepted: false, why: 'it trusts no root' };
    if (roots.roots.length === 0) return { accepted: undefined, why: 'its roots can not be read' };
    if (shown.leaf === undefined) return { accepted: undefined, why: 'the leaf can not be read' };
    if (usesOf(shown.leaf)?.includes(USES[as]) === false) {
      return { accepted: false, why: `the leaf does not allow ${as}Auth` };
    }
    const { root, problem } = verify({ ...shown, roots: roots.roots, rootsListed: roots.rootsListed }, at);
    // A root's own dates count for nothing: it is an anchor.
    if (root !== undefined) return { accepted: true, root: root.facts.fingerprintSHA256 };
    return { accepted: false, why: problem ?? 'its chain leads to no root' };
  }

  return {
    stateOf: (entry) => stateOf(entry, chainOf(entry), at),
    accepts,
    classOf: (entry) => {
      const chain = chainOf(entry);
      const self = judge(chain, chain, 'server');
      const leaf = self.accepted ? '' : printsOf([chain.leaf]);
      const parts = [
        stateOf(entry, chain, at).state,
        printsOf(chain.roots),
        printsOf(chain.intermediates),
        chain.leaf?.facts.issuer ?? '',
        usesOf(chain.leaf)?.join() ?? '',
        leaf,
      ];
      return parts.join('|');
    },
  };
}

function printsOf(certificates: readonly (ParsedCertificate | undefined)[]): string {
  return certificates.map((each) => each?.facts.fingerprintSHA256 ?? '-').join();
}

/** The uses that an extended key usage allows; undefined without one, and where only facts are left. */
function usesOf(leaf: ParsedCertificate | undefined): readonly string[] | undefined {
  return leaf?.source?.x509.keyUsage;
}

function findInvalid(chain: Chain, at: number): string | undefined {
  const validity = findValidity(chain);
  if (validity === undefined) return undefined;
  const { from, fromBy, to, toBy } = validity;
  if (at < from) return `${fromBy ?? 'the leaf'} is not valid before ${formatTime(from)}`;
  return at >= to ? `${toBy ?? 'the leaf'} expired at ${formatTime(to)}` : undefined;
}

function stateOf({ state }: CertificateEntry, chain: Chain, at: number): EntryState {
  if (state.startsWith('Unavailable')) {
    return { state: 'unusable', why: state.slice('Unavailable'.length).replace(/^: ?/, '') || 'Unavailable' };
  }
  const validity = findValidity(chain);
  if (state !== 'Available' || validity === undefined) {
    return { state: 'unknown', why: state === 'Available' ? 'its certificate can not be read' : state };
  }
  const invalid = findInvalid(chain, at);
  return invalid === undefined
    ? { state: 'usable', until: validity.to }
    : { state: 'unusable', why: invalid };
}
