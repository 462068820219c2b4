// What `check` says of a CA that no longer issues: to whom it does not, since when, and until when traffic lasts.

import { formatRelative, formatTime } from '../../base/duration.ts';
import { compareText } from '../../base/order.ts';
import {
  foresee,
  ISSUANCE_SCOPES,
  type IssuanceScope,
  type Outlook,
  type Unissued,
} from '../capture/issuance.ts';
import type { CertificateItem } from '../items.ts';
import { mergeHits } from './authorities.ts';
import { concernCertificate } from './certificates.ts';
import { type Concerned, type Finder, found } from './finding.ts';
import type { Situation } from './situation.ts';

/** One object for each node, identity or certificate that gets nothing, by how wide the trouble is. */
export const lastIssued: Finder = (situation) => {
  const { unissued } = situation.issuance();
  const scopes = Map.groupBy(unissued, ({ scope }) => scope);
  return found(ISSUANCE_SCOPES.flatMap((scope) => CONCERNS[scope](scopes.get(scope) ?? [], situation)));
};

const CONCERNS = {
  everywhere: concernNodes,
  node: concernNodes,
  identity: concernIdentities,
  timer: (unissued) =>
    unissued.map(({ item }) => concernCertificate(item, `${describeItem(item)}; others are issued there`)),
} satisfies Record<
  IssuanceScope,
  (unissued: readonly Unissued[], situation: Situation) => readonly Concerned[]
>;

function concernNodes(unissued: readonly Unissued[], situation: Situation): readonly Concerned[] {
  const { lastByNode } = situation.issuance();
  const nodes = Map.groupBy(unissued, ({ item }) => item.node);
  return [...nodes]
    .toSorted(([a], [b]) => compareText(a ?? '', b ?? ''))
    .map(([node, members]) => {
      const last = lastByNode.get(node) ?? Number.NEGATIVE_INFINITY;
      const since =
        last === Number.NEGATIVE_INFINITY
          ? 'it has never issued one that is still listed'
          : `its newest begins at ${describeTime(last, situation)}`;
      return {
        kind: 'Node' as const,
        namespace: null,
        name: node ?? '-',
        node,
        ztunnel: members[0]!.item.ztunnel,
        detail: `${members.length} of its certificates ${members.length === 1 ? 'is' : 'are'} due or refused; ${since}`,
        hits: mergeHits(members.map(({ item }) => item.owners)),
      };
    });
}

function concernIdentities(unissued: readonly Unissued[]): readonly Concerned[] {
  const identities = Map.groupBy(unissued, ({ item }) => item.identity);
  return [...identities]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([identity, members]) => {
      const [{ item }] = members as [Unissued];
      return {
        kind: 'Identity' as const,
        namespace: item.namespace,
        name: item.serviceAccount ?? identity,
        node: members.length === 1 ? item.node : null,
        ztunnel: members.length === 1 ? item.ztunnel : null,
        detail: describeItem(item),
        hits: mergeHits(members.map((each) => each.item.owners)),
      };
    });
}

function describeItem({ status, reason, notBefore }: CertificateItem): string {
  if (status === 'UNAVAILABLE') return reason ?? status;
  return `begun at ${notBefore}, and not renewed`;
}

/** Which of the four it is, at its widest, and what to do then. */
export function textsOfIssuance(situation: Situation): {
  readonly title: string;
  readonly remedy: string;
} {
  const { unissued, lastByNode } = situation.issuance();
  const scope = widestOf(unissued);
  const members = unissued.filter((each) => each.scope === scope);
  return { title: TITLES[scope](members, lastByNode, situation), remedy: REMEDIES[scope] };
}

const REMEDIES = {
  everywhere:
    'Check that istiod (or the CA in its place) runs, is Ready and can be reached, and read its log: whatever expires before it issues again is cut off.',
  node: 'Compare the ztunnel of that node with others: its way to the CA (network policies, DNS), its token, its log.',
  identity:
    "The detail has the CA's reason, where ztunnel gives it; else read the log of the CA for this identity, and check that a pod of that service account runs on the node as istiod sees it.",
  timer: 'Restart the ztunnel of the node: kubectl delete pod -n NAMESPACE ZTUNNEL.',
} satisfies Record<IssuanceScope, string>;

function widestOf(unissued: readonly Unissued[]): IssuanceScope {
  return ISSUANCE_SCOPES.find((scope) => unissued.some((each) => each.scope === scope)) ?? 'timer';
}

const TITLES = {
  everywhere: (_, lastByNode, situation) => {
    const newest = [...lastByNode.values()].reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    return newest === Number.NEGATIVE_INFINITY
      ? 'no ztunnel has got a certificate from the CA'
      : `no ztunnel has got a certificate from the CA since ${describeTime(newest, situation)}`;
  },
  node: (members) => {
    const nodes = [...new Set(members.flatMap(({ item }) => item.node ?? []))].toSorted(compareText);
    return `the CA does not issue certificates to the ztunnel of ${nameSome(nodes)}, and does to others`;
  },
  identity: (members) => {
    const names = [...new Set(members.map(({ item }) => nameOf(item)))].toSorted(compareText);
    return `the CA does not issue certificates for ${nameSome(names)}, and does for others on the same nodes`;
  },
  timer: (members) => {
    const names = [...new Set(members.map(({ item }) => `${nameOf(item)} on ${item.node ?? '-'}`))];
    return `ztunnel does not renew ${nameSome(names.toSorted(compareText))}, while the CA issues others there: its timer stands still`;
  },
} satisfies Record<
  IssuanceScope,
  (
    members: readonly Unissued[],
    lastByNode: ReadonlyMap<string | null, number>,
    situation: Situation,
  ) => string
>;

function nameOf({ namespace, serviceAccount, identity }: CertificateItem): string {
  return namespace === null ? identity : `${namespace}/${serviceAccount}`;
}

const NAMES_SHOWN = 3;

function nameSome(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}

/** Of those that the trouble reaches at its widest; undefined where none of them is valid any more. */
export function outlookOf(situation: Situation): Outlook | undefined {
  const { unissued } = situation.issuance();
  const scope = widestOf(unissued);
  const nodes = new Set(unissued.filter((each) => each.scope === scope).map(({ item }) => item.node));
  const concerned =
    scope === 'everywhere'
      ? situation.needed
      : scope === 'node'
        ? situation.needed.filter(({ node }) => nodes.has(node))
        : unissued.map(({ item }) => item);
  return foresee(
    concerned.filter(({ ztunnel }) => ztunnel !== null),
    situation.reference,
  );
}

/** `If nothing changes: first expiry …, half by …, all by ….` */
export function describeOutlook(situation: Situation): string | undefined {
  const outlook = outlookOf(situation);
  if (outlook === undefined) return 'None of the certificates concerned is valid.';
  const { first, half, all, next, certificates, expired } = outlook;
  const when = (time: number) => describeTime(time, situation);
  const where = `${nameOf(next)} on ${next.node ?? '-'}`;
  const gone = expired === 0 ? '' : ` ${expired} of ${certificates + expired} have expired already.`;
  return `If nothing changes: first expiry ${when(first)} (${where}), half by ${when(half)}, all by ${when(all)}.${gone}`;
}

/** `2026-11-30T22:17:06Z (in 17s)`. */
function describeTime(time: number, { reference }: Situation): string {
  return `${formatTime(time)} (${formatRelative((time - reference.getTime()) / 1000)})`;
}
