// What `check` says of StatefulSets: which of their ordinals have no captured pod with a usable certificate.

import { compareBy, compareText } from '../../base/order.ts';
import { hasSettled, isCaptured } from '../captured.ts';
import type { CertificateItem, Status } from '../items.ts';
import type { Pod, StatefulSet } from '../kubernetes.ts';
import { keyOf, placeOf } from '../owners/pods.ts';
import { type Concerned, type Finder, found, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** A certificate of one of these statuses still serves. */
const USABLE: ReadonlySet<Status> = new Set(['OK', 'EXPIRING', 'RENEWAL-OVERDUE']);

/** Of StatefulSets with at least one captured pod. */
export const shortfalls: Finder = (situation) => {
  const { statefulSets, pods } = situation.inventory;
  const why = whyUnknown('pods', pods) ?? whyUnknown('StatefulSets', statefulSets);
  if (!pods.known || !statefulSets.known) return notEvaluated(why ?? 'without pods');
  const listed = Map.groupBy(situation.joined.items, certificatePlace);
  const bySet = Map.groupBy(pods.items, (pod) => {
    const { kind, namespace, name } = situation.ownerOf(pod);
    return kind === 'StatefulSet' ? `${namespace}/${name}` : '';
  });
  return found(
    statefulSets.items
      .toSorted(compareSets)
      .flatMap(
        (set) =>
          judgeSet(
            set,
            bySet.get(`${set.metadata.namespace}/${set.metadata.name}`) ?? [],
            listed,
            situation,
          ) ?? [],
      ),
  );
};

type Listed = ReadonlyMap<string, readonly CertificateItem[]>;

/** What is wrong with a pod; 'usable' for nothing, 'unknown' where its node's ztunnel did not answer. */
function judgePod(pod: Pod, listed: Listed, situation: Situation): string {
  if (!isCaptured(pod)) return 'is not captured';
  const place = placeOf(pod);
  if (!place || !situation.answeredNodes.has(place.node)) return 'unknown';
  const statuses = (listed.get(keyOf(place)) ?? []).map(({ status }) => status);
  if (statuses.some((status) => USABLE.has(status))) return 'usable';
  // ztunnel has a minute to fetch it.
  if (!hasSettled(pod, situation.reference)) return 'unknown';
  return statuses[0] === undefined ? 'has no certificate' : `has ${statuses[0]}`;
}

function judgeSet(
  set: StatefulSet,
  pods: readonly Pod[],
  listed: Listed,
  situation: Situation,
): Concerned | undefined {
  if (!pods.some(isCaptured)) return undefined;
  const desired = set.spec?.replicas ?? 1;
  const start = set.spec?.ordinals?.start ?? 0;
  const verdicts = new Map(pods.map((pod) => [pod.metadata.name, judgePod(pod, listed, situation)]));
  const { wrong, usable } = judgeOrdinals(set.metadata.name, start, desired, verdicts);
  if (wrong.length === 0) return undefined;
  const names = new Set(wrong.map(({ pod }) => pod));
  return {
    kind: 'StatefulSet',
    namespace: set.metadata.namespace ?? null,
    name: set.metadata.name,
    node: null,
    ztunnel: null,
    detail: `${usable} of ${desired}: ${wrong.map(({ pod, verdict }) => `${pod} ${verdict}`).join(', ')}`,
    hits: situation.ownersOf(pods.filter(({ metadata }) => names.has(metadata.name))),
  };
}

// `replicas` is whatever an object says; more than this is not told one by one.
const ORDINALS_SHOWN = 10;

function judgeOrdinals(name: string, start: number, desired: number, verdicts: ReadonlyMap<string, string>) {
  const wrong: { readonly pod: string; readonly verdict: string }[] = [];
  let usable = 0;
  // Ends after at most so many ordinals as there are pods, and those that are shown.
  for (let at = 0; at < desired && wrong.length < ORDINALS_SHOWN; at++) {
    const pod = `${name}-${start + at}`;
    const verdict = verdicts.get(pod) ?? 'does not exist';
    if (verdict === 'usable') usable += 1;
    else if (verdict !== 'unknown') wrong.push({ pod, verdict });
  }
  return { wrong, usable };
}

function certificatePlace({ node, namespace, serviceAccount }: CertificateItem): string {
  return keyOf({ node: node ?? '', namespace: namespace ?? '', serviceAccount: serviceAccount ?? '' });
}

const compareSets = compareBy<StatefulSet>(
  (a, b) => compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? ''),
  (a, b) => compareText(a.metadata.name, b.metadata.name),
);
