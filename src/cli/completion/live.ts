// What the mesh has to offer at the cursor: names of nodes, namespaces, and whatever TARGET can be.

import { UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import type { CommonOptions } from '../../commands/spec/common.ts';
import type { ListKind, ListKinds } from '../../model/kinds.ts';
import { parseTargetType, TARGET_TYPES, type TargetType } from '../../model/targets/target.ts';
import { createTargetWorld, namesOf } from '../../model/targets/targetworld.ts';
import type { Inventory, Listed } from '../../model/types.ts';
import type { Cluster } from '../../sources/cluster.ts';
import type { Live, Offer, OfMesh } from './offers.ts';

export interface Asking {
  readonly cluster: Cluster;
  readonly options: CommonOptions;
  /** The word so far. */
  readonly typed: string;
  readonly signal: AbortSignal;
}

/** By what is wanted. Each asks for no more lists than it needs. */
const FINDERS = {
  nodes: findNodes,
  namespaces: async ({ cluster, signal }) => {
    const pods = await cluster.list('pods', { signal });
    return named(pods.flatMap(({ metadata }) => metadata.namespace ?? []));
  },
  target: async (asking) => {
    const slash = asking.typed.indexOf('/');
    if (slash < 0) return [...(await listNames('pod', '', asking)), ...TYPE_OFFERS];
    const text = asking.typed.slice(0, slash);
    const type = parseTargetType(text);
    if (type === undefined) return [];
    if (type !== 'node') return listNames(type, `${text}/`, asking);
    return (await findNodes(asking)).map(({ value }) => ({ value: `${text}/${value}` }));
  },
} satisfies Record<OfMesh, (asking: Asking) => Promise<readonly Offer[]>>;

async function findNodes({ cluster, options, signal }: Asking): Promise<readonly Offer[]> {
  const query = { selector: options.ztunnelSelector, namespace: options.ztunnelNamespace, signal };
  return named((await cluster.findZtunnels(query)).flatMap(({ node }) => node ?? []));
}

const TYPE_OFFERS: readonly Offer[] = Object.keys(TARGET_TYPES).map((type) => ({ value: `${type}/` }));

/** Offers, sorted. Throws what the cluster throws. */
export function findLive(live: OfMesh, asking: Asking): Promise<readonly Offer[]> {
  return FINDERS[live](asking);
}

/** What is offered of TARGET when the mesh can't be asked. */
export function offerTypes(live: Live): readonly Offer[] {
  return live === 'target' ? TYPE_OFFERS : [];
}

/** The list that leads from a pod to what owns it. */
const LEADS: Partial<Record<TargetType, 'replicasets' | 'jobs'>> = {
  deployment: 'replicasets',
  cronjob: 'jobs',
};

/** In the namespace where a name is looked up first they stand alone, elsewhere with theirs. */
async function listNames(type: TargetType, prefix: string, asking: Asking): Promise<readonly Offer[]> {
  const { cluster, options } = asking;
  const home = options.namespace ?? (options.allNamespaces ? undefined : cluster.namespace);
  const { pods } = createTargetWorld(await listFor(type, asking), [], []);
  const values = pods
    .filter(({ namespace }) => options.namespace === undefined || namespace === options.namespace)
    .flatMap((pod) =>
      namesOf(pod, type).map((name) => (pod.namespace === home ? name : `${name}.${pod.namespace}`)),
    );
  return named(values.map((value) => `${prefix}${value}`));
}

async function listFor(type: TargetType, asking: Asking): Promise<Inventory> {
  const lead = LEADS[type];
  const [pods, owners] = await Promise.all([
    listOf('pods', asking),
    lead === undefined ? NOT_ASKED : listOf(lead, asking),
  ]);
  return {
    pods,
    replicaSets: lead === 'replicasets' ? owners : NOT_ASKED,
    jobs: lead === 'jobs' ? owners : NOT_ASKED,
    statefulSets: NOT_ASKED,
  };
}

const NOT_ASKED = { known: false, why: 'not-asked' } as const;

async function listOf<K extends ListKind>(
  kind: K,
  { cluster, signal }: Asking,
): Promise<Listed<ListKinds[K]>> {
  try {
    return { known: true, items: await cluster.list(kind, { signal }) };
  } catch (error) {
    if (error instanceof UserError) return { known: false, why: 'failed' };
    throw error;
  }
}

function named(values: readonly string[]): readonly Offer[] {
  return [...new Set(values)].toSorted(compareText).map((value) => ({ value }));
}
