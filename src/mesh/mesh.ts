// How all that `check` looks at is asked for, each list once.

import type { WarnWithin } from '../base/duration.ts';
import type { CommandContext } from '../commands/command.ts';
import type { CommonOptions } from '../commands/flags/common.ts';
import { joinCertificates } from '../model/certificates/certificates.ts';
import type { Section } from '../model/dump.ts';
import { type FindingFilter, isSelected } from '../model/findings/check.ts';
import { FINDING_CODES } from '../model/findings/codes.ts';
import { createSituation, type Situation } from '../model/findings/situation.ts';
import type { Pod } from '../model/kubernetes.ts';
import type { Inventory, Listed, Reference } from '../model/types.ts';
import { type Collected, collectDumps } from './collect.ts';
import { type ListedInventory, listInventory, noInventory } from './inventory.ts';
import { type ListedIstio, listIstio, noIstio } from './istio.ts';
import { type ListedLeases, listNodeLeases, noLeases } from './nodeleases.ts';
import { settleReference } from './reference.ts';

/** What is read of every ztunnel's dump, and besides of one. */
export interface Reading {
  readonly each: ReadonlySet<Section>;
  readonly once: ReadonlySet<Section> | undefined;
  /** `each` is all that findings are made of. */
  readonly deep: boolean;
}

export interface Mesh {
  readonly situation: Situation;
  readonly reference: Reference;
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly nodeLeases: ListedLeases;
  readonly istio: ListedIstio;
  /** No ztunnel answered, or none gave the one whole dump: what is found then is next to nothing. */
  readonly unheard: boolean;
  /** Unheard, or a list that was asked for could not be had. */
  readonly partial: boolean;
}

/** What of `check`'s flags decides what is asked for and how it is judged. */
type MeshOptions = CommonOptions & {
  readonly warnWithin: WarnWithin;
  /** Ztunnels that can't be asked are findings instead of failures. */
  readonly allowPartial: boolean;
};

/** Asks for it all at once, and judges the certificates. Throws UserError if ztunnels can't be found. */
export async function collectMesh(
  filter: FindingFilter,
  { each, once, deep }: Reading,
  options: MeshOptions,
  context: CommandContext,
): Promise<Mesh> {
  const wantsLeases = isSelected('NODE-DEAD', filter) && !options.noOwners;
  const wantsIstio = NAME_FINDINGS.some((code) => isSelected(code, filter)) && !options.noOwners;
  const [collected, inventory, nodeLeases, istio] = await Promise.all([
    collectDumps({ sections: each, once, keepRaw: false }, options, context),
    options.noOwners ? noInventory : listInventory(context, options.namespace),
    wantsLeases ? listNodeLeases(context) : noLeases,
    wantsIstio ? listIstio(context) : noIstio,
  ]);
  const reference = await settleReference(options.now, context);
  const { source } = context.cluster;
  const base = { ...collected, inventory, source, reference: reference.time, warnWithin: options.warnWithin };
  const situation = createSituation({
    ...base,
    joined: joinCertificates({ ...base, evaluateMissing: !options.noOwners }),
    timeGiven: options.now !== undefined,
    ztunnelPods: await findZtunnelPods(collected, options, context),
    unreachable: options.allowPartial
      ? collected.failures.filter(({ severity }) => severity === 'error')
      : [],
    nodes: options.node,
    nodeLeases: nodeLeases.leases,
    istio: istio.objects,
    deep,
    clockSkewSeconds: context.cluster.clockSkewSeconds(),
  });
  const lacksWhole = once !== undefined && collected.answers.length > 0 && situation.whole.length === 0;
  const unheard = collected.answers.length === 0 || lacksWhole;
  const partial = unheard || hasFailed(inventory) || isFailure(nodeLeases.leases) || istio.partial;
  return { situation, reference, collected, inventory, nodeLeases, istio, unheard, partial };
}

/** What Istio's objects are read for. */
const NAME_FINDINGS = FINDING_CODES.filter((code) => code.startsWith('SAN-'));

/** Saved objects that hold no ztunnel at all say nothing about which nodes have one. */
async function findZtunnelPods(
  { ztunnels }: Collected,
  options: MeshOptions,
  { cluster, signal }: CommandContext,
): Promise<Listed<Pod>> {
  if (cluster.source === 'live') return { known: true, items: ztunnels.flatMap(({ pod }) => pod ?? []) };
  const items = await cluster.list('pods', { labelSelector: options.ztunnelSelector, signal });
  return items.length > 0 ? { known: true, items } : { known: false, why: 'not-asked' };
}

/** A monitor has to know that it does not see all: a refusal counts as much as a failure. */
function hasFailed({ pods, replicaSets, jobs, statefulSets }: Inventory): boolean {
  return [pods, replicaSets, jobs, statefulSets].some(isFailure);
}

function isFailure(listed: Listed<unknown>): boolean {
  return !listed.known && listed.why !== 'not-asked';
}
