// For each pod: what was asked for, what istio-cni did, what its ztunnel has and what istiod says of it, compared.

import { hasSettled, isUp, redirectionOf } from '../captured.ts';
import type { Workload } from '../dump.ts';
import type { KubeObject, Pod } from '../kubernetes.ts';
import { isAlive, listOwnWorkloads } from '../owners/pods.ts';
import type { Answer, Listed, ListedIfThere } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import { type Asked, createAskedLookup, whyIneligible } from './asked.ts';
import type { Entries, Entry, Gap } from './entries.ts';
import { isLocalPod } from './heard.ts';

/** Where two of the four first disagree, in the order in which they are compared. */
export type Disagreement =
  /** istiod says HBONE of a pod that is not captured. */
  | 'saidHbone'
  /** It is to be captured, and istio-cni has not redirected it. */
  | 'uncaptured'
  /** Redirected, and no ztunnel has accepted it yet. */
  | 'pending'
  /** Its ztunnel has it, and could not start a proxy for it. */
  | 'proxyPending'
  /** Redirected, and none of its node's ztunnels has it. */
  | 'notEnrolled'
  /** Its ztunnel has it under another account than istiod says, or istiod has no such workload. */
  | 'enrolledOtherwise'
  /** istiod says plain TCP of a pod that is captured. */
  | 'saidTcp'
  /** Captured, and nothing asks for it. */
  | 'unasked';

/** What istiod says of a pod; `workload` is undefined where it has none, `by` is the ztunnel that heard it. */
export type Said =
  | { readonly known: true; readonly workload: Workload | undefined; readonly by: Answer }
  | { readonly known: false };

export interface ComparedPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  /** undefined where a dump alone names it: then nothing is known of its age. */
  readonly pod: Pod | undefined;
  readonly asked: Asked;
  /** istio-cni's annotation. */
  readonly redirection: string | undefined;
  readonly entries: readonly Entry[];
  readonly gap: Gap | undefined;
  readonly said: Said;
  /** undefined where all agree, as far as they are known. */
  readonly disagreement: Disagreement | undefined;
}

export interface CompareInput {
  readonly pods: Listed<Pod>;
  readonly namespaces: ListedIfThere<KubeObject>;
  readonly answers: readonly Answer[];
  readonly source: 'live' | 'files';
  readonly reference: Date;
  readonly entries: Entries;
  /** What istiod says of a pod, as its node's ztunnel or a better informed one has heard it. */
  readonly saidOf: (pod: {
    readonly node: string;
    readonly namespace: string;
    readonly name: string;
  }) => Said;
}

/**
 * Pods with a network of their own that have been Running for more than a minute and stay; of files also what the dumps
 * name on nodes of which no pod was saved.
 */
export function comparePods(input: CompareInput): readonly ComparedPod[] {
  const listed = input.pods.known ? compareListed(input.pods.items, input) : [];
  return input.source === 'files' ? [...listed, ...compareNamed(input)] : listed;
}

function compareListed(pods: readonly Pod[], input: CompareInput): readonly ComparedPod[] {
  const askedFor = createAskedLookup(input.namespaces);
  const proxies = new Set(input.answers.map(({ ztunnel }) => keyOfZtunnel(ztunnel)));
  return pods
    .filter((pod) => isComparable(pod, input.reference))
    .map((pod) => {
      const { metadata, spec } = pod;
      const { namespace = '', name, uid } = metadata;
      const node = spec?.nodeName ?? '';
      const place = { node, namespace, name, uid };
      const facts = {
        namespace,
        name,
        node,
        pod,
        // ztunnels themselves are left out by istio-cni.
        asked: proxies.has(keyOfZtunnel({ namespace, name })) ? NOT_ASKED : askedFor(pod),
        redirection: redirectionOf(pod),
        entries: input.entries.of(place),
        gap: input.entries.gapOn(node),
        said: input.saidOf(place),
      };
      return { ...facts, disagreement: findDisagreement(facts) };
    });
}

const NOT_ASKED: Asked = { asked: 'no' };
const UNKNOWN: Asked = { asked: 'unknown' };

function isComparable(pod: Pod, reference: Date): boolean {
  const { metadata, spec, status } = pod;
  return (
    status?.phase === 'Running' &&
    isAlive(pod) &&
    !spec?.hostNetwork &&
    metadata.deletionTimestamp === undefined &&
    spec?.nodeName !== undefined &&
    hasSettled(pod, reference)
  );
}

/** What the dumps themselves name on their nodes: entries, and workloads that ought to have one. */
function compareNamed(input: CompareInput): readonly ComparedPod[] {
  const saved = new Set(input.pods.known ? input.pods.items.flatMap(({ spec }) => spec?.nodeName ?? []) : []);
  const seen = new Set<string>();
  return input.answers.flatMap((answer) =>
    listNamed(answer).flatMap(({ node, namespace, name }) => {
      const key = `${node}/${namespace}/${name}`;
      if (saved.has(node) || seen.has(key)) return [];
      seen.add(key);
      const place = { node, namespace, name, uid: undefined };
      const facts = {
        ...place,
        pod: undefined,
        asked: UNKNOWN,
        redirection: undefined,
        entries: input.entries.of(place),
        gap: input.entries.gapOn(node),
        said: input.saidOf(place),
      };
      return [{ ...facts, disagreement: findDisagreement(facts) }];
    }),
  );
}

function listNamed(
  answer: Answer,
): readonly { readonly node: string; readonly namespace: string; readonly name: string }[] {
  const workloads = listOwnWorkloads(answer).filter((workload) => isLocalPod(workload, answer));
  const node = answer.ztunnel.node ?? answer.dump.config.localNode;
  if (node === undefined || node === null) return [];
  const entries = answer.dump.capturedPods.flatMap(({ namespace, name }) =>
    namespace === undefined || name === undefined ? [] : [{ node, namespace, name }],
  );
  return [...workloads, ...entries];
}

type Facts = Omit<ComparedPod, 'disagreement'>;

/** The first that applies is the disagreement. */
const RULES = {
  saidHbone: (facts) =>
    isListed(facts) && !isRedirected(facts) && facts.entries.length === 0 && saysHbone(facts.said),
  uncaptured: (facts) =>
    isListed(facts) &&
    !isRedirected(facts) &&
    facts.entries.length === 0 &&
    facts.asked.asked === 'yes' &&
    whyIneligible(facts.pod) === undefined,
  proxyPending: (facts) =>
    facts.entries.length > 0 && facts.entries.every(({ captured }) => !isUp(captured.state)),
  pending: ({ redirection }) => redirection === 'pending',
  notEnrolled: (facts) =>
    facts.entries.length === 0 &&
    facts.gap === undefined &&
    (isListed(facts)
      ? facts.redirection === 'enabled'
      : facts.said.known && saysHbone(facts.said) && namesPods(facts.said.by)),
  enrolledOtherwise: ({ entries, said, node }) =>
    entries.length > 0 && said.known && entries.every((entry) => isOtherwise(entry, said.workload, node)),
  saidTcp: (facts) =>
    facts.entries.length > 0 &&
    (!isListed(facts) || facts.redirection === 'enabled') &&
    facts.said.known &&
    facts.said.workload?.protocol === 'TCP',
  unasked: ({ redirection, asked }) => redirection === 'enabled' && asked.asked === 'no',
} satisfies Record<Disagreement, (facts: Facts) => boolean>;

const ORDER = Object.keys(RULES) as readonly Disagreement[];

function findDisagreement(facts: Facts): Disagreement | undefined {
  return ORDER.find((disagreement) => RULES[disagreement](facts));
}

function isListed(facts: Facts): facts is Facts & { readonly pod: Pod } {
  return facts.pod !== undefined;
}

function isRedirected({ redirection }: Facts): boolean {
  return redirection === 'enabled' || redirection === 'pending';
}

/** And not because it speaks HBONE itself, as waypoints do. */
function saysHbone(said: Said): boolean {
  return said.known && said.workload?.protocol === 'HBONE' && !said.workload.nativeTunnel;
}

/** Until 1.23 entries may say nothing but a pod's UID, which a dump's workloads don't have. */
export function namesPods({ dump }: Answer): boolean {
  return dump.capturedPods.every(({ name }) => name !== undefined);
}

/** ztunnel takes only a workload of the same namespace, name and account, on its own node. */
function isOtherwise({ captured }: Entry, workload: Workload | undefined, node: string): boolean {
  const { name, serviceAccount } = captured;
  if (name === undefined || serviceAccount === undefined) return false;
  return (
    workload === undefined ||
    workload.serviceAccount !== serviceAccount ||
    (workload.node !== '' && workload.node !== node)
  );
}
