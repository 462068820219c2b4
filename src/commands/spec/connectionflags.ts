// kubectl's own flags for reaching a cluster and being someone there, under kubectl's names.

import { defineFlags, type OptionsOf, optionName } from './flags.ts';

/** What each changes of a kubeconfig's word stands in src/sources/kubeconfig/connectionflags.ts. */
export const connectionFlags = defineFlags({
  kubeconfig: { kind: 'string', value: 'FILE', summary: 'Kubeconfig file', group: 'connection' },
  context: { kind: 'string', value: 'NAME', summary: 'Context of the kubeconfig', group: 'connection' },
  cluster: { kind: 'string', value: 'NAME', summary: 'Cluster of the kubeconfig', group: 'connection' },
  user: { kind: 'string', value: 'NAME', summary: 'User of the kubeconfig', group: 'connection' },
  server: {
    kind: 'string',
    short: 's',
    value: 'URL',
    summary: 'Address of the API server',
    group: 'connection',
  },
  token: { kind: 'string', value: 'TOKEN', summary: 'Bearer token', group: 'connection' },
  as: { kind: 'string', value: 'USER', summary: 'User to impersonate', group: 'connection' },
  'as-group': {
    kind: 'strings',
    value: 'GROUP',
    summary: 'Group to impersonate (repeatable)',
    group: 'connection',
  },
  'as-uid': { kind: 'string', value: 'UID', summary: 'UID to impersonate', group: 'connection' },
  'certificate-authority': {
    kind: 'string',
    value: 'FILE',
    summary: "Authority of the API server's certificate",
    group: 'connection',
  },
  'client-certificate': {
    kind: 'string',
    value: 'FILE',
    summary: 'Client certificate for TLS',
    group: 'connection',
  },
  'client-key': {
    kind: 'string',
    value: 'FILE',
    summary: 'Key of the client certificate',
    group: 'connection',
  },
  'tls-server-name': {
    kind: 'string',
    value: 'NAME',
    summary: "Name that the API server's certificate must hold",
    group: 'connection',
  },
  'insecure-skip-tls-verify': {
    kind: 'boolean',
    summary: "Take any certificate of the API server's (insecure)",
    group: 'connection',
  },
  'request-timeout': {
    kind: 'bound',
    value: 'DURATION',
    summary: 'Bound on each request to the API server (1m; 0: 10m)',
    group: 'connection',
  },
});

/** The name of the first that was given. */
export function findConnectionFlag(options: OptionsOf<typeof connectionFlags>): string | undefined {
  const values: Readonly<Record<string, unknown>> = options;
  return Object.keys(connectionFlags).find((name) => {
    const value = values[optionName(name)];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}
