// What is known of a mesh when it is asked who reaches whom: the ztunnels that answered, by node, and who did not.

import type { Service, Workload } from '../dump.ts';
import type { Answer, Failure } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import type { Verification } from './verification.ts';
import { createView, type ReachView } from './view.ts';

export interface ReachInput {
  /** Whole dumps of one cluster's ztunnels. */
  readonly answers: readonly Answer[];
  /** Those that did not answer: what depends on them can't be told. */
  readonly failures: readonly Failure[];
  /** In ms since 1970. */
  readonly at: number;
  readonly verification: Verification;
}

export interface ReachWorld {
  readonly views: readonly ReachView[];
  readonly at: number;
  readonly verification: Verification;
  /** The ztunnel that serves a workload; of several on its node, the one that has its pod. */
  readonly viewOf: (workload: Workload) => ReachView | undefined;
  /** Why there is no ztunnel of the node to ask, as a phrase. */
  readonly whySilent: (node: string) => string;
  /** As its own ztunnel has it; else as the first that knows it. */
  readonly findWorkload: (namespace: string, name: string) => Workload | undefined;
  readonly findByUid: (uid: string) => Workload | undefined;
  /** Ports of a workload that services lead to, as far as the first ztunnel that knows it says. */
  readonly listPorts: (workload: Workload) => readonly number[];
  /** A service by name or hostname, as the first ztunnel that knows it has it. */
  readonly findService: (namespace: string, name: string) => Service | undefined;
  /** Who has the address, as the first ztunnel that knows it says. */
  readonly findAddress: (network: string, address: string) => Workload | Service | undefined;
}

export function createReachWorld({ answers, failures, at, verification }: ReachInput): ReachWorld {
  const views = answers.map(createView);
  const byNode = Map.groupBy(views, ({ ref }) => ref.node ?? '');
  const silent = new Map(failures.map(({ ztunnel, message }) => [ztunnel.node ?? '', { ztunnel, message }]));
  const viewOf = ({ node, namespace, name }: Workload): ReachView | undefined => {
    const there = node === '' ? [] : (byNode.get(node) ?? []);
    return (
      there.find((view) => view.podOf(namespace, name) !== undefined) ?? there.find(isConfigured) ?? there[0]
    );
  };
  return {
    views,
    at,
    verification,
    viewOf,
    whySilent: (node) => {
      const failure = silent.get(node);
      if (failure === undefined) return `there is no dump of a ztunnel on ${node}`;
      return `ztunnel ${keyOfZtunnel(failure.ztunnel).replace(/^\//, '')} on ${node} did not answer: ${failure.message}`;
    },
    findWorkload: (namespace, name) => {
      const found = first(views, (view) => view.workloadByName(namespace, name));
      return found && (viewOf(found)?.workloadByName(namespace, name) ?? found);
    },
    findByUid: (uid) => first(views, (view) => view.workloadByUid(uid)),
    listPorts: ({ uid }) => first(views, (view) => view.portsOf(uid)) ?? [],
    findService: (namespace, name) => first(views, (view) => view.serviceByName(namespace, name)),
    findAddress: (network, address) =>
      first(views, (view) => view.workloadAt(network, address) ?? view.servicesAt(network, address)[0]),
  };
}

function isConfigured(view: ReachView): boolean {
  return view.isConfigured;
}

function first<T>(views: readonly ReachView[], find: (view: ReachView) => T | undefined): T | undefined {
  for (const view of views) {
    const found = find(view);
    if (found !== undefined) return found;
  }
  return undefined;
}
