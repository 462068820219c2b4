// Whether a certificate that a ztunnel lists is one that a workload of its node uses today.

import { ageOf, isCaptured, redirectionOf, SETTLING_SECONDS } from '../captured.ts';
import type { Workload } from '../dump.ts';
import type { Pod } from '../kubernetes.ts';
import { isAlive, keyOf, listOwnWorkloads, type Place, type PodSources, placeOf } from '../owners/pods.ts';
import type { Answer } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import { keyOfZtunnel, nodeOf } from '../ztunnels/ztunnels.ts';
import type { Identity } from './identity.ts';

export type Use =
  | {
      /**
       * `unknown`: neither pods nor workloads of the node are known. `moved`: its workloads are in another trust domain, and
       * ztunnel has nothing else for them.
       */
      readonly state: 'used' | 'unknown' | 'moved';
      /** For how many seconds the oldest captured pod that needs it has been running; undefined for none that is known. */
      readonly oldestSeconds: number | undefined;
      /** Whether that is more than a minute; undefined where pods are not known. */
      readonly settled: boolean | undefined;
    }
  | {
      readonly state: 'unused';
      readonly why: UnusedWhy;
      /** The same as a phrase. */
      readonly detail: string;
    };

export type UnusedWhy = 'noPods' | 'otherDomain' | 'waypoint' | 'notCaptured';

/** An entry of a ztunnel's list. */
export interface Listed extends Identity {
  readonly node: string;
  readonly ztunnel: string;
}

/** A function that says who uses an entry. `ztunnel` is a keyOfZtunnel. */
export function createUseLookup(sources: PodSources & { readonly reference: Date }): (listed: Listed) => Use {
  const podsOf = indexPods(sources);
  const workloadsOf = indexWorkloads(sources.answers);
  const domainsOf = indexDomains(sources.answers);
  const dedicated = new Set(sources.answers.filter(isDedicated).map(({ ztunnel }) => keyOfZtunnel(ztunnel)));
  return (listed) => {
    const pods = podsOf(listed);
    const workloads = workloadsOf(listed);
    const unused = findUnused(
      listed,
      pods,
      workloads,
      // Nothing is annotated for a ztunnel that serves one pod.
      { needsCapture: !dedicated.has(listed.ztunnel), source: sources.source },
    );
    if (unused !== undefined) return { state: 'unused', ...unused };
    const age = findAge(pods, sources.reference);
    if (pods === undefined && workloads === undefined) return { state: 'unknown', ...age };
    if (!isElsewhere(listed, workloads)) return { state: 'used', ...age };
    const others = [...new Set(workloads!.map(({ trustDomain }) => trustDomain))];
    if (!others.some((domain) => domainsOf(listed).has(domain))) return { state: 'moved', ...age };
    return {
      state: 'unused',
      why: 'otherDomain',
      detail: `its workloads are in trust domain ${others.join(', ')}`,
    };
  };
}

function findAge(
  pods: readonly Pod[] | undefined,
  reference: Date,
): { readonly oldestSeconds: number | undefined; readonly settled: boolean | undefined } {
  if (pods === undefined) return { oldestSeconds: undefined, settled: undefined };
  const ages = pods
    .filter(isCaptured)
    .map((pod) => ageOf(pod, reference))
    .filter((age) => !Number.isNaN(age));
  if (ages.length === 0) return { oldestSeconds: undefined, settled: false };
  const oldestSeconds = ages.reduce((a, b) => Math.max(a, b));
  return { oldestSeconds, settled: oldestSeconds > SETTLING_SECONDS };
}

function isDedicated({ dump }: Answer): boolean {
  return dump.config.proxyMode === 'Dedicated';
}

/** A workload of a node, and whether its ztunnel has taken it over. */
interface User extends Pick<Workload, 'name' | 'trustDomain' | 'protocol' | 'nativeTunnel'> {
  /** undefined where the ztunnel does not say. */
  readonly enrolled: boolean | undefined;
}

function findUnused(
  { namespace }: Place,
  pods: readonly Pod[] | undefined,
  workloads: readonly User[] | undefined,
  { needsCapture, source }: { readonly needsCapture: boolean; readonly source: PodSources['source'] },
): { readonly why: UnusedWhy; readonly detail: string } | undefined {
  const enrolled = workloads?.some((workload) => workload.enrolled === true) ?? false;
  // Of a live mesh pods tell; what one of its ztunnels does not know it may only not have heard of.
  if ((pods ?? (source === 'files' ? workloads : undefined))?.length === 0 && !enrolled) {
    return { why: 'noPods', detail: 'no pod on the node uses it' };
  }
  const captured = pods?.filter(isRedirected);
  const known = new Set(workloads?.map(({ name }) => `${namespace}/${name}`));
  const isNew =
    captured?.some((pod) => !known.has(`${pod.metadata.namespace}/${pod.metadata.name}`)) ?? false;
  if (isSome(workloads) && workloads.every(({ nativeTunnel }) => nativeTunnel) && !isNew) {
    return { why: 'waypoint', detail: 'waypoints and gateways present certificates of their own' };
  }
  if (!needsCapture) return undefined;
  const isLeft =
    captured === undefined
      ? isSome(workloads) &&
        workloads.every(({ protocol, enrolled: taken }) => protocol !== 'HBONE' && taken === false)
      : captured.length === 0 && !enrolled;
  return isLeft ? { why: 'notCaptured', detail: 'no captured pod on the node uses it' } : undefined;
}

/** Whether ztunnel asks for another identity for these workloads by now. */
function isElsewhere({ trustDomain }: Identity, workloads: readonly User[] | undefined): boolean {
  return isSome(workloads) && workloads.every((workload) => workload.trustDomain !== trustDomain);
}

function isSome(workloads: readonly User[] | undefined): workloads is readonly User[] {
  return workloads !== undefined && workloads.length > 0;
}

/** istio-cni has annotated it: `enabled`, or `pending` while no ztunnel has taken it over. */
function isRedirected(pod: Pod): boolean {
  return redirectionOf(pod) !== undefined;
}

/** The pods with a network of their own at a place; undefined where they are not known. */
function indexPods({ inventory, source }: PodSources): (place: Place) => readonly Pod[] | undefined {
  const { pods } = inventory;
  if (!pods.known) return () => undefined;
  const places = new Map<string, Pod[]>();
  const nodes = new Set<string>();
  for (const pod of pods.items) {
    const place = placeOf(pod);
    if (!place) continue;
    nodes.add(place.node);
    if (pod.spec?.hostNetwork || !isAlive(pod)) continue;
    const known = places.get(keyOf(place));
    if (known) known.push(pod);
    else places.set(keyOf(place), [pod]);
  }
  return (place) => {
    const isListed = pods.namespace === undefined || pods.namespace === place.namespace;
    // Saved objects may leave out nodes: one without a single pod is not known to have none.
    return isListed && (source === 'live' || nodes.has(place.node))
      ? (places.get(keyOf(place)) ?? [])
      : undefined;
  };
}

/** What ztunnels say of the pods at a place: each of its own node, one that was read whole of the others as well. */
function indexWorkloads(answers: readonly Answer[]): (place: Place) => readonly User[] | undefined {
  const whole = answers.filter(({ dump }) => dump.sections.has('workloads'));
  const own = new Set(whole.flatMap((answer) => nodeOf(answer) ?? []));
  const places = new Map<string, User[]>();
  const add = (workload: Workload, enrolled: boolean | undefined) => {
    const { name, trustDomain, protocol, nativeTunnel } = workload;
    const user = { name, trustDomain, protocol, nativeTunnel, enrolled };
    const known = places.get(keyOf(workload));
    if (known) known.push(user);
    else places.set(keyOf(workload), [user]);
  };
  for (const answer of whole) {
    const taken = enrolledBy(answer);
    for (const workload of listOwnWorkloads(answer)) {
      if (describeWorkload(workload).kind === 'Pod') add(workload, taken?.has(nameOf(workload)));
    }
  }
  const [elsewhere] = whole;
  for (const workload of elsewhere === undefined ? [] : elsewhere.dump.workloads) {
    if (own.has(workload.node) || workload.networkMode === 'HostNetwork') continue;
    const { kind, cluster } = describeWorkload(workload);
    const { clusterId } = elsewhere!.dump.config;
    // Nodes of other clusters may have the same names.
    if (kind !== 'Pod' || (clusterId !== undefined && cluster !== clusterId)) continue;
    add(workload, undefined);
  }
  // Of other nodes than its own a dump need not have been read whole.
  return (place) => places.get(keyOf(place)) ?? (own.has(place.node) ? [] : undefined);
}

/** `namespace/name` of what it has taken over; undefined where it does not say. */
function enrolledBy({ dump }: Answer): ReadonlySet<string> | undefined {
  if (!dump.sections.has('workloadState')) return undefined;
  return new Set(dump.capturedPods.map(({ namespace = '', name = '' }) => `${namespace}/${name}`));
}

function nameOf({ namespace, name }: Pick<Workload, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`;
}

/** The trust domains in which a ztunnel lists a service account. */
function indexDomains(answers: readonly Answer[]): (listed: Listed) => ReadonlySet<string> {
  const known = new Map<string, Set<string>>();
  for (const { ztunnel, dump } of answers) {
    for (const { identity } of dump.certificates) {
      const [, domain, account] = ACCOUNT.exec(identity) ?? [];
      if (domain === undefined) continue;
      const key = `${keyOfZtunnel(ztunnel)} ${account}`;
      const domains = known.get(key);
      if (domains) domains.add(domain);
      else known.set(key, new Set([domain]));
    }
  }
  return ({ ztunnel, namespace, serviceAccount }) =>
    known.get(`${ztunnel} /ns/${namespace}/sa/${serviceAccount}`) ?? NONE;
}

const ACCOUNT = /^spiffe:\/\/([^/]+)(\/ns\/[^/]+\/sa\/[^/]+)$/;
const NONE: ReadonlySet<string> = new Set();
