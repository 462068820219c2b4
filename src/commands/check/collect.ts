// How all that `check` looks at is asked for, each list once.

import type { WarnWithin } from '../../base/duration.ts';
import type { Asking } from '../../mesh/asking.ts';
import { askAgain, type Collected, collectDumps } from '../../mesh/collect.ts';
import {
  type ListedInventory,
  type ListedIstio,
  type ListedLeases,
  type ListedNamespaces,
  listInventory,
  listIstio,
  listNamespaces,
  listNodeLeases,
  noInventory,
  noIstio,
  noLeases,
  noNamespaces,
} from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Scope } from '../../mesh/scope/scope.ts';
import { type Earlier, NOTHING_EARLIER } from '../../model/capture/earlier.ts';
import { listSettled } from '../../model/capture/heard.ts';
import { isBare } from '../../model/capture/picture.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import type { Section } from '../../model/dump.ts';
import { type FindingFilter, isSelected } from '../../model/findings/check.ts';
import { FINDING_CODES } from '../../model/findings/codes.ts';
import { createSituation, type Situation } from '../../model/findings/situation.ts';
import type { Pod } from '../../model/kubernetes.ts';
import type { Inventory, Listed, Reference } from '../../model/types.ts';
import { nodeOf } from '../../model/ztunnels/ztunnels.ts';

/** What is read of every ztunnel's dump, and besides of one. */
export interface Reading {
  readonly each: ReadonlySet<Section>;
  readonly once: ReadonlySet<Section> | undefined;
  /** `each` is all that findings are made of. */
  readonly deep: boolean;
}

export interface CollectedMesh {
  readonly situation: Situation;
  readonly reference: Reference;
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly nodeLeases: ListedLeases;
  readonly namespaces: ListedNamespaces;
  readonly istio: ListedIstio;
  /** No ztunnel answered, or none gave the one whole dump: what is found then is next to nothing. */
  readonly unheard: boolean;
  /** Unheard, or a list that was asked for could not be had. */
  readonly partial: boolean;
}

/** What of `check`'s flags decides what is asked for and how it is judged. */
type CollectOptions = Asking & {
  readonly now: Date | undefined;
  readonly noOwners: boolean;
  readonly warnWithin: WarnWithin;
  /** Ztunnels that can't be asked are findings instead of failures. */
  readonly allowPartial: boolean;
};

/** Asks for it all at once, and judges the certificates. */
export async function collectMesh(
  scope: Scope,
  filter: FindingFilter,
  { each, once, deep }: Reading,
  options: CollectOptions,
  mesh: Mesh,
  earlier: Earlier = NOTHING_EARLIER,
): Promise<CollectedMesh> {
  const wantsLeases = isSelected('NODE-DEAD', filter) && !options.noOwners;
  const wantsIstio = NAME_FINDINGS.some((code) => isSelected(code, filter)) && !options.noOwners;
  const wantsNamespaces = LABEL_FINDINGS.some((code) => isSelected(code, filter)) && !options.noOwners;
  const [first, inventory, nodeLeases, namespaces, istio] = await Promise.all([
    collectDumps(scope, { sections: each, once, keepRaw: false }, options, mesh),
    options.noOwners ? noInventory : listInventory(mesh, scope.namespace),
    wantsLeases ? listNodeLeases(mesh) : noLeases,
    wantsNamespaces ? listNamespaces(mesh) : noNamespaces,
    wantsIstio ? listIstio(mesh) : noIstio,
  ]);
  const reference = await mesh.reference();
  const collected = await withBareRead(first, inventory, reference.time, options, mesh);
  const { source } = mesh.cluster;
  const base = { ...collected, inventory, source, reference: reference.time, warnWithin: options.warnWithin };
  const situation = createSituation({
    ...base,
    joined: joinCertificates({ ...base, evaluateMissing: !options.noOwners }),
    timeGiven: options.now !== undefined,
    ztunnelPods: await findZtunnelPods(collected, options, mesh),
    unreachable: options.allowPartial
      ? collected.failures.filter(({ severity }) => severity === 'error')
      : [],
    nodes: options.node,
    nodeLeases: nodeLeases.leases,
    namespaces: namespaces.namespaces,
    earlier,
    istio: istio.objects,
    deep,
    clockSkewSeconds: mesh.cluster.clockSkewSeconds(),
  });
  const lacksWhole = once !== undefined && collected.answers.length > 0 && situation.whole.length === 0;
  const unheard = collected.answers.length === 0 || lacksWhole;
  const partial =
    unheard ||
    hasFailed(inventory) ||
    isFailure(nodeLeases.leases) ||
    namespaces.warning !== undefined ||
    istio.partial;
  return { situation, reference, collected, inventory, nodeLeases, namespaces, istio, unheard, partial };
}

const WHOLE: ReadonlySet<Section> = new Set(['certificates', 'config', 'workloadState', 'workloads']);
/** Each has next to nothing to send if it is what it seems to be. */
const MOST_BARE = 16;

/** Whole dumps of the ztunnels that list nothing, though captured pods have been running on their nodes for long. */
async function withBareRead(
  collected: Collected,
  { pods }: Inventory,
  reference: Date,
  options: CollectOptions,
  mesh: Mesh,
): Promise<Collected> {
  if (!pods.known) return collected;
  const nodes = new Set(listSettled(pods.items, reference).map(({ spec }) => spec?.nodeName));
  const bare = collected.answers
    .filter((answer) => !answer.dump.sections.has('workloads') && isBare(answer))
    .filter((answer) => nodes.has(nodeOf(answer) ?? undefined))
    .slice(0, MOST_BARE);
  if (bare.length === 0) return collected;
  const again = await askAgain(bare, WHOLE, options, mesh);
  const byFirst = new Map(bare.map((answer, index) => [answer, again[index]!]));
  return { ...collected, answers: collected.answers.map((answer) => byFirst.get(answer) ?? answer) };
}

/** What the labels of Namespaces are read for. */
const LABEL_FINDINGS = ['UNCAPTURED', 'CAPTURED-UNASKED'] as const;

/** What Istio's objects are read for. */
const NAME_FINDINGS = FINDING_CODES.filter((code) => code.startsWith('SAN-'));

/** Saved objects that hold no ztunnel at all say nothing about which nodes have one. */
async function findZtunnelPods(
  { ztunnels }: Collected,
  options: CollectOptions,
  { cluster, lists, signal }: Mesh,
): Promise<Listed<Pod>> {
  if (cluster.source === 'live') return { known: true, items: ztunnels.flatMap(({ pod }) => pod ?? []) };
  const items = await lists.list('pods', { labelSelector: options.ztunnelSelector, signal });
  return items.length > 0 ? { known: true, items } : { known: false, why: 'not-asked' };
}

/** A monitor has to know that it does not see all: a refusal counts as much as a failure. */
function hasFailed({ pods, replicaSets, jobs, statefulSets }: Inventory): boolean {
  return [pods, replicaSets, jobs, statefulSets].some(isFailure);
}

function isFailure(listed: Listed<unknown>): boolean {
  return !listed.known && listed.why !== 'not-asked';
}
