// kubectl's connection flags, and what each changes of a kubeconfig's word.

import path from 'node:path';
import type { ClusterEntry, UserEntry } from './kubeconfigentry.ts';

/** kubectl's connection flags as one value; undefined (or an empty list) leaves the kubeconfig's word. */
export interface ConnectionFlags {
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly as?: string | undefined;
  readonly asGroups?: readonly string[] | undefined;
  readonly asUid?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

/** The cluster entry after the flags, by kubectl's rules. */
export function withClusterFlags(cluster: ClusterEntry, flags: ConnectionFlags): ClusterEntry {
  const trustGiven = flags.insecureSkipTlsVerify === true || flags.certificateAuthority !== undefined;
  return {
    ...cluster,
    server: flags.server ?? cluster.server,
    ...(trustGiven && {
      skipTLSVerify: flags.insecureSkipTlsVerify === true,
      caData: undefined,
      caFile: absolute(flags.certificateAuthority),
    }),
    // A flag for the server drops the kubeconfig's server name, as kubectl does: it belongs to the old server.
    tlsServerName: flags.tlsServerName ?? (flags.server === undefined ? cluster.tlsServerName : undefined),
  };
}

/** The user entry after the flags, by kubectl's rules. */
export function withUserFlags(user: UserEntry, flags: ConnectionFlags): UserEntry {
  return {
    ...user,
    ...(flags.token !== undefined && { token: flags.token, tokenFile: undefined }),
    ...(flags.clientCertificate !== undefined && {
      certFile: absolute(flags.clientCertificate),
      certData: undefined,
    }),
    ...(flags.clientKey !== undefined && { keyFile: absolute(flags.clientKey), keyData: undefined }),
    impersonateUser: flags.as ?? user.impersonateUser,
    impersonateUid: flags.asUid ?? user.impersonateUid,
    impersonateGroups: flags.asGroups?.length ? flags.asGroups : user.impersonateGroups,
  };
}

function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : path.resolve(file);
}
