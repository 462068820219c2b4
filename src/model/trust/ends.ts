// Which certificates and pods the ends of a connection are, where pods, nodes or an identity are named.

import { redirectionOf } from '../captured.ts';
import { formatIdentity } from '../certificates/identity.ts';
import type { Workload } from '../dump.ts';
import type { CertificateItem } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer, Inventory } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import type { PairEnd } from './pair.ts';

/** Pods with one certificate, of which the same is known: one end of connections that all come about or all fail. */
export interface NamedEnd extends PairEnd {
  /** The context of its cluster, where several clusters are asked. */
  readonly cluster?: string;
  readonly node: string | null;
  readonly namespace: string | null;
  readonly serviceAccount: string | null;
  /** The SPIFFE id; null where neither a certificate nor istiod tells it. */
  readonly identity: string | null;
  /** Names, in order; empty where none are known of an identity. */
  readonly pods: readonly string[];
}

/** A pod that is named. */
export interface EndPod {
  readonly namespace: string;
  readonly name: string;
  /** null before it was put on one. */
  readonly node: string | null;
  readonly serviceAccount: string;
}

/** What is named. */
export type Meant =
  | { readonly what: 'pods'; readonly pods: readonly EndPod[] }
  | { readonly what: 'nodes'; readonly nodes: ReadonlySet<string | null> }
  | { readonly what: 'identity'; readonly identity: string; readonly pods: readonly EndPod[] };

export interface EndSources {
  readonly items: readonly CertificateItem[];
  readonly answers: readonly Answer[];
  readonly inventory: Pick<Inventory, 'pods'>;
}

/** In the order of pods or of the table of certificates. */
export function listEnds(meant: Meant, sources: EndSources): readonly NamedEnd[] {
  if (meant.what === 'pods') return endsOfPods(meant.pods, sources);
  if (meant.what === 'nodes') {
    return sources.items
      .filter(({ node, use }) => meant.nodes.has(node) && use.state !== 'unused')
      .map(endOfItem);
  }
  const own = sources.items.filter(({ identity }) => identity === meant.identity);
  const used = own.filter(({ use }) => use.state !== 'unused');
  if (own.length > 0) return (used.length > 0 ? used : own).map(endOfItem);
  return endsOfPods(meant.pods, sources);
}

function endOfItem(item: CertificateItem): NamedEnd {
  const { node, namespace, serviceAccount, identity, owners } = item;
  const pods = owners.known ? owners.owners.flatMap((owner) => owner.pods).toSorted() : [];
  return { item, node, namespace, serviceAccount, identity, pods };
}

function endsOfPods(pods: readonly EndPod[], { items, answers, inventory }: EndSources): readonly NamedEnd[] {
  const answersOn = Map.groupBy(answers, nodeOf);
  const listed = new Map(
    inventory.pods.known ? inventory.pods.items.map((pod) => [keyOf(ofPod(pod)), pod] as const) : [],
  );
  const ends = pods.map((pod): NamedEnd => {
    const own = answersOn.get(pod.node) ?? [];
    const item = findOwn(items, pod);
    const workload = findWorkload(pod, own);
    const enrolled = findEnrolled(pod, own, workload);
    const expected = workload && formatIdentity(workload);
    return {
      ...{ node: pod.node, namespace: pod.namespace, serviceAccount: pod.serviceAccount },
      identity: item?.identity ?? expected ?? null,
      pods: [pod.name],
      ...{ item, enrolled, expected },
      uncaptured:
        enrolled === true || isWaypoint(item)
          ? undefined
          : whyUncaptured(listed.get(keyOf(pod)), workload, own),
    };
  });
  return [...Map.groupBy(ends, alike).values()].map(([first, ...others]) => ({
    ...first!,
    pods: [first!, ...others].flatMap((end) => end.pods).toSorted(),
  }));
}

function alike({ node, namespace, serviceAccount, enrolled, expected, uncaptured }: NamedEnd): string {
  return JSON.stringify([node, namespace, serviceAccount, enrolled, expected, uncaptured]);
}

function keyOf({ namespace, name }: Pick<EndPod, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

function ofPod({ metadata }: Pod): Pick<EndPod, 'namespace' | 'name'> {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

/** As the ztunnel of its own node has it, which istiod told. */
function findWorkload(pod: EndPod, own: readonly Answer[]): Workload | undefined {
  const isIt = (workload: Workload) => {
    const { kind, namespace, name } = describeWorkload(workload);
    return kind === 'Pod' && workload.node === pod.node && namespace === pod.namespace && name === pod.name;
  };
  return own.flatMap(({ dump }) => dump.workloads.find(isIt) ?? [])[0];
}

function findEnrolled(pod: EndPod, own: readonly Answer[], workload: Workload | undefined) {
  const said = own.map((answer) => isEnrolled(answer, pod));
  if (!said.includes(true)) return said.includes(false) ? false : undefined;
  const isOtherwise = workload !== undefined && workload.serviceAccount !== pod.serviceAccount;
  return isOtherwise ? ('otherwise' as const) : true;
}

function isWaypoint(item: CertificateItem | undefined): boolean {
  return item?.use.state === 'unused' && item.use.why === 'waypoint';
}

const NO_PART = 'ztunnel has no part in its connections';

/** Of what is known of the pod: its own annotation, else what istiod says of it. */
function whyUncaptured(
  pod: Pod | undefined,
  workload: Workload | undefined,
  own: readonly Answer[],
): string | undefined {
  // Nothing is annotated for a ztunnel that serves one pod.
  if (own.some(({ dump }) => dump.config.proxyMode === 'Dedicated')) return undefined;
  if (pod?.spec?.hostNetwork === true || workload?.networkMode === 'HostNetwork') {
    return `the pod is on the host's network: ${NO_PART}`;
  }
  const isOutside =
    pod === undefined
      ? workload !== undefined && workload.protocol !== 'HBONE'
      : redirectionOf(pod) === undefined;
  if (!isOutside) return undefined;
  return `the pod is not captured: ${NO_PART}; label its namespace istio.io/dataplane-mode=ambient to capture it`;
}

/** The certificate that a pod uses: of its account on its node, the one in use. */
export function findOwn(
  items: readonly CertificateItem[],
  { node, namespace, serviceAccount }: Pick<CertificateItem, 'node' | 'namespace' | 'serviceAccount'>,
): CertificateItem | undefined {
  const own = items.filter(
    (item) => item.node === node && item.namespace === namespace && item.serviceAccount === serviceAccount,
  );
  return own.find(({ use }) => use.state !== 'unused' && use.state !== 'moved') ?? own[0];
}

/**
 * Whether a ztunnel has taken a pod over; undefined where its dump does not say. One without a single workload has never had
 * its configuration, so that what it has not taken over tells nothing of the pod.
 */
export function isEnrolled(
  { dump }: Answer,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): boolean | undefined {
  if (!dump.sections.has('workloadState') || dump.workloads.length === 0) return undefined;
  return dump.capturedPods.some((pod) => pod.namespace === namespace && pod.name === name);
}
