// How trust classes, pairs of ends, and roots are written as JSON: which keys, in which order.

import type { JsonObject } from '../../base/json.ts';
import type { TrustClass } from '../trust/classes.ts';
import type { NamedEnd } from '../trust/ends.ts';
import type { PairTrust, RuleOutcome } from '../trust/matrix.ts';
import type { PairVerdict, Step } from '../trust/pair.ts';
import type { RootUse } from '../trust/roots.ts';
import { clusterDocument, rootDocument } from './document.ts';

/** What is said of the way from a class to another one; both go by their numbers. */
export interface ClassWay {
  readonly destination: number;
  readonly trust: PairTrust;
}

/** An item of a TrustClassList. `source`: how many of its certificates are SRC's; null without one. */
export function trustClassDocument(
  { anchor, roots, complete, trustDomain, usages, counts, members }: TrustClass,
  number: number,
  source: number | null,
  ways: readonly ClassWay[],
): JsonObject {
  return {
    class: number,
    trustDomain,
    anchor: anchor && rootDocument(anchor),
    roots: roots.map(rootDocument),
    rootsComplete: complete,
    usages: { ...usages },
    certificates: counts.certificates,
    identities: counts.identities,
    nodes: counts.nodes,
    pods: counts.pods,
    source,
    members: members.map((item) => ({
      ...clusterDocument(item),
      identity: item.identity,
      node: item.node,
      status: item.status,
    })),
    to: ways.map(({ destination, trust: { works, outcomes } }) => ({
      class: destination,
      works: works ?? null,
      reasons: outcomes.filter(({ outcome }) => outcome !== 'holds').map(outcomeDocument),
    })),
  };
}

function outcomeDocument({ side, rule, outcome, text }: RuleOutcome): JsonObject {
  return { side, rule, outcome, text };
}

/** An item of a TrustPairList. */
export function trustPairDocument(
  source: NamedEnd,
  destination: NamedEnd,
  { works, decisive, steps }: PairVerdict,
): JsonObject {
  return {
    source: endDocument(source),
    destination: endDocument(destination),
    works: works ?? null,
    decisive: decisive === undefined ? null : stepDocument(decisive),
    steps: steps.map(stepDocument),
  };
}

function endDocument(end: NamedEnd): JsonObject {
  const { identity, namespace, serviceAccount, node, pods, item } = end;
  return {
    ...clusterDocument(end),
    identity,
    namespace,
    serviceAccount,
    node,
    pods: [...pods],
    status: item?.status ?? null,
  };
}

function stepDocument({ about, side, rule, outcome, text }: Step): JsonObject {
  return { about, side: side ?? null, rule, outcome, text };
}

/** An item of a RootUseList. */
export function rootUseDocument(use: RootUse): JsonObject {
  const { trustDomain, root, isNewest, presentedBy, trustedBy, untrustedBy, unknownTo, maySign, mayDrop } =
    use;
  return {
    by: 'trusts',
    trustDomain,
    root: rootDocument(root),
    newest: isNewest,
    presentedBy: { ...presentedBy.counts },
    trustedBy: { ...trustedBy.counts },
    untrustedBy: { ...untrustedBy.counts },
    unknownTo: { ...unknownTo.counts },
    maySign: maySign ?? null,
    mayDrop,
  };
}
