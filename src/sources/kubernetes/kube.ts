// The live cluster: kubeconfig, API server and ztunnels behind the Cluster interface.

import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { UserError } from '../../base/errors.ts';
import { parseSelector } from '../../base/selector.ts';
import { KINDS, type Kind, type ListKind, type ListKinds } from '../../model/kinds.ts';
import type { Pod } from '../../model/kubernetes.ts';
import type { Reference, Ztunnel } from '../../model/types.ts';
import type { Cluster, DumpRequest, ListQuery } from '../cluster.ts';
import type { ConnectionFlags } from '../kubeconfig/connectionflags.ts';
import { type Environment, loadInCluster, loadKubeconfig } from '../kubeconfig/kubeconfigfiles.ts';
import { type Connection, selectConnection } from './connection.ts';
import { findZtunnelPods } from './discovery.ts';
import { createGate, throughGate } from './gate.ts';
import { fetchAdmin, type OpenConnection, postLogging } from './http.ts';
import { customLister, type Fetch, listObjects } from './list.ts';
import { openForward } from './portforward.ts';
import { type ReferenceClock, settleReference } from './referencetime.ts';
import { fetchWithSession, openSession, type Session } from './session.ts';
import { openTransport } from './transport.ts';

export interface KubeOptions extends ConnectionFlags {
  /** `--kubeconfig`; undefined: KUBECONFIG, else `~/.kube/config`, else the pod's service account. */
  readonly kubeconfig?: string | undefined;
  /** What that says, for who has read it already; it is read if undefined. */
  readonly config?: KubeConfig | undefined;
  /** Bound on TCP and TLS, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Bound on each request to the API server (a page of a list), in milliseconds; 0 leaves 10 minutes. */
  readonly requestTimeoutMs: number;
  readonly env: Environment;
  readonly clock: () => Date;
  readonly userAgent?: string | undefined;
  /** `--ztunnel-namespace`: searched first where all namespaces may not be. */
  readonly ztunnelNamespace?: string | undefined;
}

const LONGEST_REQUEST_MS = 10 * 60_000;

/**
 * Reads the kubeconfig; nothing is asked of the network before the first list. Throws UserError when nothing
 * says which cluster to ask.
 */
export async function connectKube(options: KubeOptions): Promise<Cluster> {
  const connection = await findConnection(options);
  const session = openSession(() => openTransport(connection, options.env));
  const gate = createGate();
  const warnings = new Set<string>();
  const clock = startClock(options.clock, warnings);
  const fetch = fetcher(session, options, clock.hear);
  const listCustom = customLister(fetch, connection.server);
  const list = async <K extends ListKind>(kind: K, query: ListQuery = {}) => {
    if (query.labelSelector !== undefined) parseSelector(query.labelSelector);
    // The table says which kind the server sends, and list.ts stamps it on the items.
    const resource: Kind = KINDS[kind];
    const items = resource.custom
      ? listCustom(resource, query)
      : listObjects(fetch, connection.server, resource, query);
    return (await items) as ListKinds[K][];
  };
  return {
    source: 'live',
    server: connection.server,
    namespace: connection.namespace,
    canList: () => true,
    list,
    findZtunnels: async (query) => {
      const likely = [options.ztunnelNamespace, connection.namespace];
      const listPods = (where: ListQuery): Promise<readonly Pod[]> => list('pods', where);
      const { ztunnels, warning } = await findZtunnelPods(listPods, query, likely);
      if (warning !== undefined) warnings.add(warning);
      return ztunnels;
    },
    openDump: (ztunnel, request) =>
      throughGate(gate, request.signal, () =>
        fetchAdmin(opener(session, ztunnel, request), { path: '/config_dump', ...request }),
      ),
    setLogging: (ztunnel, query, request) => postLogging(opener(session, ztunnel, request), query, request),
    identify: async (ztunnel) => ztunnel,
    reference: async () => {
      // Every authenticated user may read it, and a refusal carries the date as well.
      if (clock.settled() === undefined) await fetch('/version', 'application/json', undefined);
      return clock.settled() ?? { time: options.clock(), source: 'system-clock' };
    },
    clockSkewSeconds: clock.skewSeconds,
    warnings: () => [...warnings],
    close: async () => session.close(),
  };
}

async function findConnection(options: KubeOptions): Promise<Connection> {
  const config = options.config ?? (await loadKubeconfig(options.kubeconfig, options.env));
  const says =
    config.getContexts().length > 0 || config.getClusters().length > 0 || options.server !== undefined;
  if (!says && options.kubeconfig !== undefined && config.getCurrentContext() === undefined) {
    throw new UserError(
      `the kubeconfig ${options.kubeconfig} names no cluster`,
      'Name another one with --kubeconfig, or an API server with --server.',
    );
  }
  const inCluster = says || options.kubeconfig !== undefined ? undefined : await loadInCluster(options.env);
  return selectConnection(inCluster ?? config, options);
}

/** Hears the first answer's date and keeps it. */
function startClock(local: () => Date, warnings: Set<string>) {
  let settled: ReferenceClock | undefined;
  return {
    hear: (date: string | undefined) => {
      if (settled !== undefined) return;
      settled = settleReference(date, local());
      if (settled.warning !== undefined) warnings.add(settled.warning);
    },
    settled: (): Reference | undefined => settled?.reference,
    skewSeconds: (): number | undefined => settled?.skewSeconds,
  };
}

function fetcher(session: Session, options: KubeOptions, hear: (date: string | undefined) => void): Fetch {
  return async (path, accept, signal) => {
    const answer = await fetchWithSession(session, path, accept, {
      connectTimeoutMs: options.connectTimeoutMs,
      requestTimeoutMs: options.requestTimeoutMs || LONGEST_REQUEST_MS,
      userAgent: options.userAgent ?? 'kubectl-ztunnel',
      signal,
    });
    hear(answer.headers.date);
    return answer;
  };
}

function opener(session: Session, { namespace, name }: Ztunnel, { port }: DumpRequest): OpenConnection {
  const target = { namespace: namespace ?? '', pod: name, port };
  return async (signal) => openForward(await session.transport(), target, signal);
}
