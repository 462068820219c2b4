// Which server is asked and as whom, once contexts and flags have been weighed as kubectl weighs them.

import { UserError } from '../../base/errors.ts';
import { type ConnectionFlags, withClusterFlags, withUserFlags } from '../kubeconfig/connectionflags.ts';
import type { Kubeconfig } from '../kubeconfig/kubeconfig.ts';
import {
  type ClusterEntry,
  type ContextEntry,
  NOBODY,
  type UserEntry,
} from '../kubeconfig/kubeconfigentry.ts';

export interface Connection {
  /** `http:` or `https:`, without a slash at its end; may hold a path (servers behind a gateway). */
  readonly server: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  /** The context's namespace; undefined if it names none. */
  readonly namespace: string | undefined;
  /** What the user is called in the kubeconfig; '' if nothing names one. */
  readonly userName: string;
}

/** Throws UserError when nothing says which server to ask, or when what is said contradicts itself. */
export function selectConnection(config: Kubeconfig, flags: ConnectionFlags): Connection {
  const context = selectContext(config, flags);
  const clusterName = flags.cluster ?? context?.cluster ?? '';
  const userName = flags.user ?? context?.user ?? '';
  const cluster = withClusterFlags(
    selectNamed(config.clusters, clusterName, 'cluster', flags.cluster !== undefined) ?? NO_CLUSTER,
    flags,
  );
  const user = withUserFlags(
    selectNamed(config.users, userName, 'user', flags.user !== undefined) ?? NOBODY,
    flags,
  );
  if (cluster.server === '') throw noServer(config, clusterName);
  checkConsistent(cluster, user, clusterName);
  return { server: serverOf(cluster), cluster, user, userName, namespace: context?.namespace };
}

const NO_CLUSTER: ClusterEntry = { server: '', insecure: false };

function selectContext(config: Kubeconfig, flags: ConnectionFlags): ContextEntry | undefined {
  const name = flags.context ?? config.currentContext;
  if (name === undefined) return undefined;
  const context = config.contexts.get(name);
  if (context !== undefined) return context;
  throw new UserError(
    `the kubeconfig has no context "${name}"`,
    config.contexts.size === 0
      ? 'It has no contexts at all: name another file with --kubeconfig or KUBECONFIG.'
      : `Choose one that it has: ${listNames(config.contexts)}.`,
  );
}

function selectNamed<T>(
  entries: ReadonlyMap<string, T>,
  name: string,
  what: 'cluster' | 'user',
  byFlag: boolean,
): T | undefined {
  const entry = entries.get(name);
  if (entry !== undefined || name === '') return entry;
  throw new UserError(
    byFlag
      ? `the kubeconfig has no ${what} "${name}"`
      : `the kubeconfig's context names the ${what} "${name}", but the file has none of that name`,
    entries.size === 0
      ? `It has no ${what}s at all: name another file with --kubeconfig or KUBECONFIG.`
      : `Correct the context, or choose another with --context; there ${entries.size === 1 ? 'is' : 'are'} ${listNames(entries)}.`,
  );
}

function listNames(entries: ReadonlyMap<string, unknown>): string {
  const names = [...entries.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

function noServer(config: Kubeconfig, clusterName: string): UserError {
  if (clusterName !== '') {
    return new UserError(
      `the kubeconfig's cluster "${clusterName}" names no server`,
      'Add `server: https://…` to it, or choose another context with --context.',
    );
  }
  if (config.contexts.size > 0) {
    return new UserError(
      'the kubeconfig has no current context',
      `Choose one with --context or \`kubectl config use-context\`; it has ${listNames(config.contexts)}.`,
    );
  }
  return new UserError(
    'there is no kubeconfig, and this is not a pod of a cluster',
    'Name one with --kubeconfig or KUBECONFIG, or read saved dumps with -f FILE.',
  );
}

function checkConsistent(cluster: ClusterEntry, user: UserEntry, clusterName: string): void {
  if (cluster.insecure && (cluster.caFile !== undefined || cluster.caData !== undefined)) {
    throw new UserError(
      `the cluster "${clusterName}" has a certificate authority and skips TLS verification at once`,
      'Remove one of the two, as kubectl demands.',
    );
  }
  const extras = user.asGroups.length > 0 || user.asUid !== undefined || Object.keys(user.asExtra).length > 0;
  if (extras && user.as === undefined) {
    throw new UserError(
      'a group, uid or extra is impersonated, but no user',
      'Name the user to impersonate as well.',
    );
  }
}

function serverOf(cluster: ClusterEntry): string {
  const secure = cluster.insecure || cluster.caFile !== undefined || cluster.caData !== undefined;
  const text = cluster.server.includes('://')
    ? cluster.server
    : `${secure ? 'https' : 'http'}://${cluster.server}`;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UserError(
      `the API server's address "${cluster.server}" is not an http or https URL`,
      'It should read like https://HOST:6443.',
    );
  }
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}
