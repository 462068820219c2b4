// Which server is asked and as whom, once contexts and flags have been weighed as kubectl weighs them.

import type { KubeConfig, Named } from '@kubernetes/client-node/dist/config.js';
import type { Context } from '@kubernetes/client-node/dist/config_types.js';
import { UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import { type ConnectionFlags, withClusterFlags, withUserFlags } from '../kubeconfig/connectionflags.ts';
import { type ClusterEntry, NOBODY, type UserEntry } from '../kubeconfig/kubeconfigentry.ts';

export interface Connection {
  /** `http:` or `https:`, without a slash at its end; may hold a path (servers behind a gateway). */
  readonly server: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  /** The context's namespace; undefined if it names none. */
  readonly namespace: string | undefined;
}

/** Throws UserError when nothing says which server to ask, or when what is said contradicts itself. */
export function selectConnection(config: KubeConfig, flags: ConnectionFlags): Connection {
  const context = selectContext(config, flags);
  const clusterName = flags.cluster ?? context?.cluster ?? '';
  const userName = flags.user ?? context?.user ?? '';
  const inFile = {
    cluster: select('cluster', clusterName, config.getCluster(clusterName), config.getClusters(), flags),
    user: select('user', userName, config.getUser(userName), config.getUsers(), flags),
  };
  const cluster = withClusterFlags(inFile.cluster ?? NO_CLUSTER, flags);
  const user = withUserFlags((inFile.user as UserEntry | undefined) ?? NOBODY, flags);
  if (cluster.server === '') throw noServer(config, clusterName);
  checkConsistent(cluster, user);
  return { server: serverOf(cluster), cluster, user, namespace: context?.namespace };
}

const NO_CLUSTER: ClusterEntry = { name: '', server: '', skipTLSVerify: false };

function selectContext(config: KubeConfig, flags: ConnectionFlags): Context | undefined {
  const name = flags.context ?? config.getCurrentContext();
  if (name === undefined) return undefined;
  const context = config.getContextObject(name);
  if (context !== null) return context;
  const all = config.getContexts();
  throw new UserError(
    `the kubeconfig has no context "${name}"`,
    all.length === 0
      ? 'It has no contexts at all: name another file with --kubeconfig or KUBECONFIG.'
      : `Choose one that it has: ${listNames(all)}.`,
  );
}

/** client-node gives null for a name that is not there, and goes on without. */
function select<T extends Named>(
  what: 'cluster' | 'user',
  name: string,
  entry: T | null,
  all: readonly T[],
  flags: ConnectionFlags,
): T | undefined {
  if (entry !== null || name === '') return entry ?? undefined;
  throw new UserError(
    flags[what] !== undefined
      ? `the kubeconfig has no ${what} "${name}"`
      : `the kubeconfig's context names the ${what} "${name}", but the file has none of that name`,
    all.length === 0
      ? `It has no ${what}s at all: name another file with --kubeconfig or KUBECONFIG.`
      : `Correct the context, or choose another with --context; there ${all.length === 1 ? 'is' : 'are'} ${listNames(all)}.`,
  );
}

function listNames(entries: readonly Named[]): string {
  const names = entries.map(({ name }) => name).sort(compareText);
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

function noServer(config: KubeConfig, clusterName: string): UserError {
  if (clusterName !== '') {
    return new UserError(
      `the kubeconfig's cluster "${clusterName}" names no server`,
      'Add `server: https://…` to it, or choose another context with --context.',
    );
  }
  if (config.getContexts().length > 0) {
    return new UserError(
      'the kubeconfig has no current context',
      `Choose one with --context or \`kubectl config use-context\`; it has ${listNames(config.getContexts())}.`,
    );
  }
  return new UserError(
    'there is no kubeconfig, and this is not a pod of a cluster',
    'Name one with --kubeconfig or KUBECONFIG, or read saved dumps with -f FILE.',
  );
}

function checkConsistent(cluster: ClusterEntry, user: UserEntry): void {
  if (cluster.skipTLSVerify && (cluster.caFile !== undefined || cluster.caData !== undefined)) {
    throw new UserError(
      `the cluster "${cluster.name}" has a certificate authority and skips TLS verification at once`,
      'Remove one of the two, as kubectl demands.',
    );
  }
  const extras =
    user.impersonateGroups.length > 0 ||
    user.impersonateUid !== undefined ||
    Object.keys(user.impersonateExtra).length > 0;
  if (extras && user.impersonateUser === undefined) {
    throw new UserError(
      'a group, uid or extra is impersonated, but no user',
      'Name the user to impersonate as well.',
    );
  }
}

function serverOf(cluster: ClusterEntry): string {
  const secure = cluster.skipTLSVerify || cluster.caFile !== undefined || cluster.caData !== undefined;
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
