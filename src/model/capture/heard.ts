// Which pods each ztunnel knows from istiod, and what it lacks of those that have run for long.

import { hasSettled, isCaptured } from '../captured.ts';
import type { Workload } from '../dump.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer, Listed } from '../types.ts';
import { describeWorkload } from '../uid.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import { isStarting } from './entries.ts';

/** What a ztunnel whose workloads were read knows of the cluster's captured pods. */
export interface Heard {
  readonly answer: Answer;
  /** Captured pods that have run for more than a minute, of which it has no workload. */
  readonly missing: readonly Pod[];
  /** Those of which it has one with addresses of an earlier pod. */
  readonly outdated: readonly Pod[];
  /** Workloads of pods of this cluster that the API server no longer has. */
  readonly gone: readonly Workload[];
  /** When the youngest pod that it knows started, in ms since 1970; -Infinity for none. */
  readonly newest: number;
}

export interface HeardInput {
  readonly answers: readonly Answer[];
  readonly pods: Listed<Pod>;
  readonly reference: Date;
}

/** For each ztunnel whose workloads were read; none where pods are not known. */
export function compareHeard({ answers, pods, reference }: HeardInput): readonly Heard[] {
  if (!pods.known) return [];
  const settled = listSettled(pods.items, reference);
  const known = new Set(pods.items.map(nameOfPod));
  return answers
    .filter(({ dump, ztunnel }) => dump.sections.has('workloads') && !isStarting(ztunnel, reference))
    .map((answer) => compareOne(answer, settled, known, pods.namespace));
}

/** Captured pods with an address that have run for more than a minute: by now every ztunnel ought to know them. */
export function listSettled(pods: readonly Pod[], reference: Date): readonly Pod[] {
  // Saved pods may have been cut down to what somebody thought was needed.
  const haveAddresses = pods.some(hasAddress);
  return pods.filter(
    (pod) => isCaptured(pod) && hasSettled(pod, reference) && (!haveAddresses || hasAddress(pod)),
  );
}

function hasAddress({ status }: Pod): boolean {
  return status?.podIPs?.some(({ ip }) => ip !== undefined && ip !== '') ?? false;
}

function compareOne(
  answer: Answer,
  settled: readonly Pod[],
  known: ReadonlySet<string>,
  namespace: string | undefined,
): Heard {
  const { dump } = answer;
  const node = nodeOf(answer);
  // It asks istiod for others when its connections need them.
  const expected = dump.config.xdsOnDemand ? settled.filter(({ spec }) => spec?.nodeName === node) : settled;
  const names = new Set(expected.map(nameOfPod));
  const found = new Map<string, Workload>();
  const gone: Workload[] = [];
  for (const workload of dump.workloads) {
    if (!isLocalPod(workload, answer)) continue;
    const name = `${workload.namespace}/${workload.name}`;
    if (names.has(name)) found.set(name, workload);
    else if (!known.has(name) && (namespace === undefined || workload.namespace === namespace)) {
      gone.push(workload);
    }
  }
  const missing = expected.filter((pod) => !found.has(nameOfPod(pod)));
  const outdated = expected.filter((pod) => isOutdated(pod, found.get(nameOfPod(pod))));
  const lacking = new Set([...missing, ...outdated]);
  return {
    answer,
    missing,
    outdated,
    gone,
    newest: expected
      .filter((pod) => !lacking.has(pod))
      .reduce((newest, pod) => Math.max(newest, startOf(pod)), Number.NEGATIVE_INFINITY),
  };
}

function isOutdated({ status }: Pod, workload: Workload | undefined): boolean {
  const addresses = status?.podIPs?.flatMap(({ ip }) => ip || []) ?? [];
  if (workload === undefined || addresses.length === 0 || workload.addresses.length === 0) return false;
  return !workload.addresses.some((address) => addresses.includes(address));
}

/** A pod of the cluster whose pods are listed: those of others are on nodes and in lists of their own. */
export function isLocalPod(workload: Workload, { dump }: Answer): boolean {
  const { kind, cluster } = describeWorkload(workload);
  const { clusterId } = dump.config;
  return kind === 'Pod' && (clusterId === undefined || cluster === '' || cluster === clusterId);
}

/** In ms since 1970; NaN if it does not say. */
export function startOf({ metadata, status }: Pod): number {
  return Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
}

export function nameOfPod({ metadata }: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

// Seconds between the starts of two pods say nothing about the order in which a ztunnel heard of them.
const IN_ORDER_MS = 60_000;

/**
 * The pods of which istiod tells nobody: no ztunnel whose workloads were read knows them, while one knows pods that
 * started later. All others that are missing came after the last that the ztunnel has heard.
 */
export function listUntold(heard: readonly Heard[]): ReadonlySet<Pod> {
  const [first, ...others] = heard;
  if (first === undefined) return new Set();
  const newest = heard.reduce((time, each) => Math.max(time, each.newest), Number.NEGATIVE_INFINITY);
  const lackedBy = others.map(({ missing }) => new Set(missing));
  return new Set(
    first.missing.filter(
      (pod) => startOf(pod) + IN_ORDER_MS < newest && lackedBy.every((missing) => missing.has(pod)),
    ),
  );
}
