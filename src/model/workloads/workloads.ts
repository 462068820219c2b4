// How workloads of dumps become the rows of `workloads`, with owner and certificate.

import { formatIdentity, type Identity } from '../certificates/identity.ts';
import type { Workload } from '../dump.ts';
import type { CaptureState, CertificateItem, Owners, WorkloadItem } from '../items.ts';
import { compareGravity, compareWorkloads } from '../order.ts';
import { createOwnerLookup, groupByOwner } from '../owners/owners.ts';
import { isAlive, keyOf, type PodSources } from '../owners/pods.ts';
import type { Answer } from '../types.ts';
import { describeWorkload, type WorkloadUid } from '../uid.ts';
import { joinHeld } from './compare.ts';
import { createWaypointLookup } from './services.ts';

export interface WorkloadInput extends PodSources {
  /** The dumps whose workloads are shown; several are joined by uid, and the first that holds one describes it. */
  readonly answers: readonly Answer[];
  /** The judged certificates of all ztunnels in scope, from joinCertificates. */
  readonly certificates: readonly CertificateItem[];
  readonly captureOf: (workload: Workload, origin: WorkloadUid, isLocal: boolean) => CaptureState;
}

/** So many workloads are joined in some milliseconds. */
const WORKLOADS_A_STEP = 10_000;

/**
 * One row for each workload of the dumps, in the table's order; step by step, as of a mesh of 100,000 workloads that takes
 * long enough for somebody to want it ended.
 */
export function* joinWorkloadsInSteps(input: WorkloadInput): Generator<void, readonly WorkloadItem[], void> {
  const certificateOf = createCertificateLookup(input.certificates);
  const ownerOf = createWorkloadOwnerLookup(input);
  const waypointOf = new Map(
    input.answers.map((answer) => [answer, createWaypointLookup(answer.dump.services)]),
  );
  const clusters = new Set(input.answers.flatMap(({ dump }) => dump.config.clusterId ?? []));
  const identityOf = createIdentityFormat();
  const held = joinHeld(input.answers, (dump) => dump.workloads, keyOfWorkload);
  yield;
  // V8 makes less of a generator than of a function that it calls.
  const join = ({ item: workload, first, ztunnels, differs }: (typeof held)[number]): WorkloadItem => {
    const origin = describeWorkload(workload);
    // A mesh of several clusters has namesakes: pods of another cluster are not in our lists and on our nodes.
    const isLocal = clusters.size === 0 || origin.cluster === '' || clusters.has(origin.cluster);
    const judged = certificateOf(workload, isLocal);
    return {
      workload,
      identity: identityOf(workload),
      certificate: judged.certificate,
      severity: judged.severity,
      capture: input.captureOf(workload, origin, isLocal),
      kind: origin.kind,
      owner: ownerOf(origin, isLocal),
      waypoint: waypointOf.get(first)!(workload),
      ztunnels,
      differs,
    };
  };
  const items: WorkloadItem[][] = [];
  for (let at = 0; at < held.length; at += WORKLOADS_A_STEP) {
    items.push(held.slice(at, at + WORKLOADS_A_STEP).map(join));
    yield;
  }
  return items.flat().sort(compareWorkloads);
}

/** Tells a workload from all others; ztunnel 1.18 gave no uid. */
export function keyOfWorkload({ uid, namespace, name, addresses }: Workload): string {
  return uid || `no uid ${namespace}/${name}/${addresses.join()}`;
}

type Judged = Pick<WorkloadItem, 'certificate' | 'severity'>;

const NEEDS_NONE: Judged = { certificate: 'none', severity: 'ok' };
const NOT_KNOWN: Judged = { certificate: '-', severity: 'information' };

/** The worst of what the ztunnels of its node hold for its identity. */
function createCertificateLookup(
  certificates: readonly CertificateItem[],
): (workload: Workload, isLocal: boolean) => Judged {
  const byPlace = Map.groupBy(certificates, ({ node, namespace, serviceAccount }) =>
    keyOf({ node: node ?? '', namespace: namespace ?? '', serviceAccount: serviceAccount ?? '' }),
  );
  const nodes = new Set(certificates.map(({ node }) => node));
  return (workload, isLocal) => {
    const speaksHbone = workload.protocol === 'HBONE' || workload.nativeTunnel;
    if (!speaksHbone || workload.networkMode === 'HostNetwork') return NEEDS_NONE;
    if (!isLocal || workload.node === '' || !nodes.has(workload.node)) return NOT_KNOWN;
    const there = byPlace.get(keyOf(workload));
    if (there === undefined) return NOT_KNOWN;
    const own = there.filter(({ identity }) => identity === formatIdentity(workload));
    // The trust domain of a MISSING row is only the likely one.
    const [worst] = (own.length > 0 ? own : there).toSorted(compareGravity);
    return worst ? { certificate: worst.status, severity: worst.severity } : NOT_KNOWN;
  };
}

/** Writes each identity once: a mesh has far fewer of them than workloads. */
function createIdentityFormat(): (of: Identity) => string {
  const known = new Map<string, Map<string, Map<string, string>>>();
  return ({ trustDomain, namespace, serviceAccount }) => {
    const domain = entryOf(known, trustDomain, () => new Map<string, Map<string, string>>());
    const accounts = entryOf(domain, namespace, () => new Map<string, string>());
    return entryOf(accounts, serviceAccount, () =>
      formatIdentity({ trustDomain, namespace, serviceAccount }),
    );
  };
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const FORBIDDEN: Owners = { known: false, why: 'forbidden' };
const UNKNOWN: Owners = { known: false, why: 'unknown' };

/**
 * A function that says who owns a workload of a dump. Joined by namespace and name, never by IP: addresses are shared
 * and used again. `isLocal`: its cluster is the one whose pods are listed.
 */
export function createWorkloadOwnerLookup({
  inventory,
  source,
}: PodSources): (origin: WorkloadUid, isLocal: boolean) => Owners {
  const { pods } = inventory;
  const alive = pods.known ? pods.items.filter(isAlive) : [];
  const byName = new Map(alive.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]));
  const ownerOfPod = createOwnerLookup(inventory);
  return ({ kind, namespace, name }, isLocal) => {
    const itself = (pods: readonly string[]): Owners => ({
      known: true,
      owners: [{ kind, namespace, name, ready: null, desired: null, pods }],
    });
    if (kind !== 'Pod') return itself([]);
    if (!pods.known) {
      // From files the dump is all there is: the pod stands for its owner.
      if (source === 'files') return itself([name]);
      return pods.why === 'forbidden' ? FORBIDDEN : UNKNOWN;
    }
    const pod = isLocal ? byName.get(`${namespace}/${name}`) : undefined;
    if (!pod) return UNKNOWN;
    return { known: true, owners: groupByOwner([{ name, owner: ownerOfPod(pod) }]) };
  };
}
