// Verification by the chains and dates of the certificates that dumps hold.

import { formatTime } from '../../base/duration.ts';
import { DEFAULT_PROVIDER } from '../certificates/algorithms.ts';
import { type Chain, splitChain } from '../certificates/chain.ts';
import { chooseTrust, isOpenAt, type Validity } from '../certificates/choice.ts';
import type { PathSearch } from '../certificates/paths.ts';
import {
  createVerification as createPathVerification,
  type Presented,
  type Verifier,
} from '../certificates/verification.ts';
import { createCertificateReader } from '../certificates/x509.ts';
import type { CertificateEntry } from '../dump.ts';
import type { Acceptance, EntryState, Verification } from './verification.ts';

const USAGE = { server: 'serverAuth', client: 'clientAuth' } as const;

/** An entry, with what it presents and what it verifies with. */
interface Read {
  readonly chain: Chain;
  readonly presented: Presented | undefined;
  readonly verifier: Verifier;
  /** undefined without a readable leaf. */
  readonly validity: Validity | undefined;
}

/** `at`: ztunnel's clock in ms since 1970. */
export function createVerification(at: number): Verification {
  const read = createCertificateReader();
  const paths = createPathVerification();
  const known = new WeakMap<CertificateEntry, Read>();

  function readEntry(entry: CertificateEntry): Read {
    const chain = splitChain(entry, read);
    const presented = paths.presentedBy(chain, () => []);
    const verifier = paths.verifierOf(chain, DEFAULT_PROVIDER);
    const search: PathSearch =
      presented === undefined ? { paths: [], problem: undefined } : paths.verify(presented, verifier);
    return { chain, presented, verifier, validity: chooseTrust(chain, search, at).validity };
  }

  function partsOf(entry: CertificateEntry): Read {
    const parts = known.get(entry) ?? readEntry(entry);
    known.set(entry, parts);
    return parts;
  }

  function accepts(
    verifier: CertificateEntry,
    presented: CertificateEntry,
    as: keyof typeof USAGE,
  ): Acceptance {
    const [own, shown] = [partsOf(verifier), partsOf(presented)];
    const invalid = describeInvalid(leafOf(shown), at);
    if (invalid !== undefined) return { accepted: false, why: invalid };
    if (own.chain.rootsListed === 0) return { accepted: false, why: 'it trusts no root' };
    if (own.chain.roots.length === 0) return { accepted: undefined, why: 'its roots can not be read' };
    if (shown.presented === undefined) return { accepted: undefined, why: 'the leaf can not be read' };
    return judgeSearch(paths.verify(shown.presented, own.verifier), own.verifier, shown, as);
  }

  function judgeSearch(
    search: PathSearch,
    { complete }: Verifier,
    shown: Read,
    as: keyof typeof USAGE,
  ): Acceptance {
    const usage = USAGE[as];
    // A root's own dates count for nothing: it is an anchor.
    const open = search.paths.filter((path) => isOpenAt(path, at));
    const taken = open.find(({ refusals }) => refusals[usage] === undefined);
    if (taken !== undefined) return { accepted: true, root: taken.anchor.facts.fingerprintSHA256 };
    const [refused = search.paths[0]] = open;
    if (refused !== undefined) {
      const dates = describeInvalid(shown.validity, at);
      return { accepted: false, why: refused.refusals[usage] ?? dates ?? 'an intermediate is not valid' };
    }
    const why = search.problem?.text ?? 'its chain leads to no root';
    if (!complete && search.problem?.isUnreached) {
      return { accepted: undefined, why: `${why}, of which only one is shown` };
    }
    return { accepted: false, why };
  }

  return {
    stateOf: (entry) => stateOf(entry, partsOf(entry), at),
    accepts,
    classOf: (entry) => {
      const { presented, verifier, validity } = partsOf(entry);
      const { state } = stateOf(entry, partsOf(entry), at);
      return [
        state,
        presented?.key ?? '',
        verifier.key,
        validity === undefined ? '' : isValid(validity, at),
      ].join('|');
    },
  };
}

const isValid = ({ from, to }: Validity, at: number): boolean => at >= from && at < to;

/** The dates of the leaf alone. */
function leafOf({ chain: { leaf } }: Read): Validity | undefined {
  if (leaf === undefined) return undefined;
  const { notBefore: from, notAfter: to } = leaf;
  return { leaf, lifetime: to - from, from, fromBy: undefined, to, toBy: undefined };
}

function describeInvalid(validity: Validity | undefined, at: number): string | undefined {
  if (validity === undefined) return undefined;
  const { from, fromBy, to, toBy } = validity;
  if (at < from) return `${fromBy ?? 'the leaf'} is not valid before ${formatTime(from)}`;
  return at >= to ? `${toBy ?? 'the leaf'} expired at ${formatTime(to)}` : undefined;
}

function stateOf({ state }: CertificateEntry, { validity }: Read, at: number): EntryState {
  if (state.startsWith('Unavailable')) {
    return { state: 'unusable', why: state.slice('Unavailable'.length).replace(/^: ?/, '') || 'Unavailable' };
  }
  if (state !== 'Available' || validity === undefined) {
    return { state: 'unknown', why: state === 'Available' ? 'its certificate can not be read' : state };
  }
  const invalid = describeInvalid(validity, at);
  return invalid === undefined
    ? { state: 'usable', until: validity.to }
    : { state: 'unusable', why: invalid };
}
