// How ztunnels, their pods and what was heard of them become the rows of `ztunnels`.

import { type CertificateItem, STATUSES, type ZtunnelItem } from '../items.ts';
import { compareSeverity } from '../order.ts';
import type { Answer, Failure, Severity, Ztunnel } from '../types.ts';
import { compareByNode, findImageTag, keyOfZtunnel, nodeOf, refOf } from './ztunnels.ts';

export interface ZtunnelInput {
  readonly ztunnels: readonly Ztunnel[];
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  /** The judged certificates of the answers. */
  readonly certificates: readonly CertificateItem[];
  /** Of its node; `answer` is undefined where it gave none. */
  readonly countPods: (
    node: string | null,
    answer: Answer | undefined,
  ) => Pick<ZtunnelItem, 'captured' | 'enrolled' | 'pending'>;
  /** The reference time. */
  readonly at: Date;
}

/** One row for each ztunnel that answered or failed, by node, namespace and name. */
export function listZtunnels(input: ZtunnelInput): readonly ZtunnelItem[] {
  const { answers, failures } = input;
  const failed = Map.groupBy(failures, ({ ztunnel }) => keyOfZtunnel(ztunnel));
  const certificates = Map.groupBy(input.certificates, ({ ztunnel }) =>
    ztunnel === null ? '' : keyOfZtunnel(ztunnel),
  );
  const answered = new Set(answers.map(({ ztunnel }) => keyOfZtunnel(ztunnel)));
  const known = new Map(input.ztunnels.map((ztunnel) => [keyOfZtunnel(ztunnel), ztunnel]));
  const heard = answers.map((answer) => {
    const key = keyOfZtunnel(answer.ztunnel);
    return {
      ...describePod(answer.ztunnel, input.at),
      ...describeFailures(failed.get(key) ?? []),
      ztunnel: refOf(answer),
      ...input.countPods(nodeOf(answer), answer),
      answered: true,
      certificates: countStatuses(certificates.get(key) ?? []),
      raw: answer.dump.config.raw,
      ...(answer.dump.version === undefined ? {} : { version: answer.dump.version }),
    };
  });
  const silent = [...failed]
    .filter(([key]) => !answered.has(key))
    .map(([key, [first, ...others]]) => ({
      ...describePod(known.get(key), input.at),
      ...describeFailures([first!, ...others]),
      ztunnel: first!.ztunnel,
      ...input.countPods(first!.ztunnel.node, undefined),
      answered: false,
      certificates: null,
      raw: undefined,
    }));
  return [...heard, ...silent].toSorted((a, b) => compareByNode(a.ztunnel, b.ztunnel));
}

type PodFacts = Pick<ZtunnelItem, 'phase' | 'version' | 'ready' | 'restarts' | 'createdAt' | 'ageSeconds'>;

function describePod(ztunnel: Ztunnel | undefined, at: Date): PodFacts {
  const pod = ztunnel?.pod;
  if (pod === undefined) {
    return { phase: null, version: null, ready: null, restarts: null, createdAt: null, ageSeconds: null };
  }
  const { metadata, status } = pod;
  const created = metadata.creationTimestamp;
  return {
    phase: metadata.deletionTimestamp === undefined ? (status?.phase ?? null) : 'Terminating',
    version: findImageTag(pod) ?? null,
    ready: status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    restarts: (status?.containerStatuses ?? []).reduce(
      (sum, { restartCount }) => sum + (restartCount ?? 0),
      0,
    ),
    createdAt: created ?? null,
    ageSeconds: created === undefined ? null : secondsSince(created, at),
  };
}

/** null for text that is no date. */
function secondsSince(time: string, at: Date): number | null {
  const seconds = Math.floor((at.getTime() - new Date(time).getTime()) / 1000);
  return Number.isNaN(seconds) ? null : seconds;
}

/** An error is what someone must mend; a ztunnel that is just being replaced is a warning. */
function describeFailures(failures: readonly Failure[]): Pick<ZtunnelItem, 'reason' | 'severity'> {
  const severities = failures.map(
    ({ severity }): Severity => (severity === 'error' ? 'critical' : 'warning'),
  );
  return {
    reason: failures.length === 0 ? null : failures.map(({ message }) => message).join('; '),
    severity: severities.toSorted(compareSeverity)[0] ?? 'ok',
  };
}

function countStatuses(items: readonly CertificateItem[]): ZtunnelItem['certificates'] {
  const byStatus = Map.groupBy(items, ({ status }) => status);
  return Object.fromEntries(
    STATUSES.flatMap((status) => {
      const found = byStatus.get(status);
      return found === undefined ? [] : [[status, found.length]];
    }),
  );
}
