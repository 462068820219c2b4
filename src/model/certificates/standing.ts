// Whether a pod has on its node what is waited for, and if not, why.

import { isUp, redirectionOf } from '../captured.ts';
import type { CertificateItem, Status } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import { isAlive, type Place, placeOf } from '../owners/pods.ts';
import type { Answer, Failure, Ztunnel } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import { type Beginning, type Condition, lackOf } from './condition.ts';

/** What was heard of the ztunnels on the pods' nodes. */
export interface Heard {
  /** In any phase. */
  readonly ztunnels: readonly Ztunnel[];
  /** Of those that answered, by keyOfZtunnel. */
  readonly answers: ReadonlyMap<string, Answer>;
  readonly failures: readonly Failure[];
  readonly items: readonly CertificateItem[];
  readonly beginning: Beginning;
}

export interface Standing {
  readonly namespace: string;
  readonly name: string;
  /** Tells a pod from one of the same name that came later. */
  readonly uid: string;
  readonly node: string | null;
  /** undefined once it is what is waited for. */
  readonly lack: string | undefined;
  /** Of its identity on its node, the first that is not good enough or else the first; null where none is listed. */
  readonly status: Status | null;
}

/** Terminal and deleting pods will not need a certificate, those on the host's network never do. */
export function isCounted(pod: Pod): boolean {
  return isStaying(pod) && !pod.spec?.hostNetwork;
}

/** Whether there are pods that stay, and every one of them is on the host's network: no wait will change that. */
export function areOnHost(pods: readonly Pod[]): boolean {
  const staying = pods.filter(isStaying);
  return staying.length > 0 && staying.every(({ spec }) => spec?.hostNetwork === true);
}

function isStaying(pod: Pod): boolean {
  return isAlive(pod) && !pod.metadata.deletionTimestamp;
}

/** `identity`: the only one that will do; any trust domain does if undefined. */
export function judgePod(
  pod: Pod,
  identity: string | undefined,
  condition: Condition,
  heard: Heard,
): Standing {
  const { metadata, spec } = pod;
  const { lack, status } = findLack(pod, identity, condition, heard);
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    node: spec?.nodeName || null,
    lack,
    status,
  };
}

type Lack = Pick<Standing, 'lack' | 'status'>;

const lacking = (lack: string, status: Status | null = null): Lack => ({ lack, status });

function findLack(pod: Pod, identity: string | undefined, condition: Condition, heard: Heard): Lack {
  const place = placeOf(pod);
  if (place === undefined) return lacking('unscheduled');
  const redirection = redirectionOf(pod);
  if (redirection !== 'enabled') return lacking(redirection === 'pending' ? 'pending' : 'not captured');
  const serving = heard.ztunnels.filter((ztunnel) => ztunnel.node === place.node && isServing(ztunnel));
  if (serving.length === 0) return lacking(`no ztunnel on node ${place.node}`);
  const judged = serving.map((ztunnel) => judgeOn(ztunnel, place, identity, condition, heard));
  const first = judged.find(({ lack }) => lack !== undefined) ?? judged[0]!;
  if (first.lack !== undefined || condition.type !== 'ready') return first;
  const lack = findEntryLack(pod, serving, heard);
  return lack === undefined ? first : lacking(lack, first.status);
}

/** One that is being deleted will not serve the pod for long, and need not answer any more. */
function isServing({ pod }: Ztunnel): boolean {
  return pod?.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined;
}

function judgeOn(
  ztunnel: Ztunnel,
  { namespace, serviceAccount }: Place,
  identity: string | undefined,
  condition: Condition,
  { answers, failures, items, beginning }: Heard,
): Lack {
  const key = keyOfZtunnel(ztunnel);
  const failure = failures.find((each) => keyOfZtunnel(each.ztunnel) === key);
  if (!answers.has(key) || failure !== undefined) {
    return lacking(`unreachable: ztunnel ${ztunnel.name}: ${failure?.message ?? 'it did not answer'}`);
  }
  const listed = items.filter(
    (item) =>
      item.ztunnel !== null &&
      keyOfZtunnel(item.ztunnel) === key &&
      item.namespace === namespace &&
      item.serviceAccount === serviceAccount &&
      (identity === undefined || item.identity === identity),
  );
  const lacks = listed.map((item) => ({ status: item.status, lack: lackOf(condition, item, beginning) }));
  const good = lacks.find(({ lack }) => lack === undefined) ?? lacks[0];
  if (good !== undefined) return good;
  const wantsMissing = condition.type === 'status' && condition.statuses.includes('MISSING');
  return { status: 'MISSING', lack: wantsMissing ? undefined : missing(identity, serviceAccount) };
}

/** A certificate is of no use to a pod that no ztunnel of its node has taken over and runs a proxy for. */
function findEntryLack(
  { metadata }: Pod,
  serving: readonly Ztunnel[],
  { answers }: Heard,
): string | undefined {
  const dumps = serving.flatMap((ztunnel) => answers.get(keyOfZtunnel(ztunnel))?.dump ?? []);
  // Before 1.22 dumps don't say, and a dedicated ztunnel has no entries.
  const tell = dumps.every(
    ({ sections, config }) => sections.has('workloadState') && config.proxyMode !== 'Dedicated',
  );
  if (!tell) return undefined;
  const entry = dumps
    .flatMap(({ capturedPods }) => capturedPods)
    .find(({ uid, namespace, name }) =>
      name === undefined ? uid === metadata.uid : name === metadata.name && namespace === metadata.namespace,
    );
  if (entry === undefined) return 'not enrolled: its ztunnel has not taken it over';
  return isUp(entry.state) ? undefined : `its proxy is ${entry.state}`;
}

function missing(identity: string | undefined, serviceAccount: string): string {
  const parts = identity === undefined ? `service account ${serviceAccount}` : identity;
  return `MISSING: its ztunnel does not list ${parts}`;
}
