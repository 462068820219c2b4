// What the entries of a kubeconfig hold: clusters, users and contexts.

import path from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node/dist/config_types.js';
import { isObject } from '../../base/json.ts';

/** How to reach an API server. File paths are absolute; `…Data` is base64 of PEM and wins over the file. */
export interface ClusterEntry extends Cluster {
  /** What exec plugins with `provideClusterInfo` are given as `spec.cluster.config`. */
  readonly execConfig?: unknown;
}

/** A command that prints an ExecCredential; `command` is absolute, or searched on PATH. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
  /** `Never`, `IfAvailable` or `Always`. */
  readonly interactiveMode: string;
}

/**
 * Who asks, with what client-node's User leaves out. `…Data` is base64 of PEM and wins over the file; `tokenFile` wins
 * over `token`. `plugin` and `provider` are what a kubeconfig calls `exec` and `auth-provider`: under these names
 * client-node would use authenticators of its own (see credentials.ts).
 */
export interface UserEntry extends User {
  readonly tokenFile?: string | undefined;
  readonly impersonateUid?: string | undefined;
  readonly impersonateGroups: readonly string[];
  readonly impersonateExtra: Readonly<Record<string, readonly string[]>>;
  readonly plugin?: ExecEntry | undefined;
  readonly provider?: AuthProvider | undefined;
}

/** What logged in before there were plugins; of those that kubectl had, oidc is left. */
export interface AuthProvider {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** A user that brings nothing: no context, or a context without one. */
export const NOBODY: UserEntry = { name: '', impersonateGroups: [], impersonateExtra: {} };

/** A mapping as it was read; anything may stand in it. */
export type Yaml = { readonly [key: string]: unknown };

export function clusterEntry(name: string, entry: Yaml, directory: string): ClusterEntry {
  return {
    name,
    server: textOf(entry.server) ?? '',
    caFile: pathOf(entry['certificate-authority'], directory),
    caData: textOf(entry['certificate-authority-data']),
    skipTLSVerify: entry['insecure-skip-tls-verify'] === true,
    tlsServerName: textOf(entry['tls-server-name']),
    proxyUrl: textOf(entry['proxy-url']),
    execConfig: arrayOf(entry.extensions)
      .map(mapOf)
      .find((extension) => extension.name === 'client.authentication.k8s.io/exec')?.extension,
  };
}

export function contextEntry(name: string, entry: Yaml): Context {
  return {
    name,
    cluster: textOf(entry.cluster) ?? '',
    user: textOf(entry.user) ?? '',
    namespace: textOf(entry.namespace),
  };
}

export function userEntry(name: string, entry: Yaml, directory: string): UserEntry {
  const provider = mapOf(entry['auth-provider']);
  const extra = Object.entries(mapOf(entry['as-user-extra'])).map(([key, values]) => [key, textsOf(values)]);
  return {
    name,
    certFile: pathOf(entry['client-certificate'], directory),
    certData: textOf(entry['client-certificate-data']),
    keyFile: pathOf(entry['client-key'], directory),
    keyData: textOf(entry['client-key-data']),
    token: textOf(entry.token),
    tokenFile: pathOf(entry.tokenFile, directory),
    username: textOf(entry.username),
    password: textOf(entry.password),
    impersonateUser: textOf(entry.as),
    impersonateUid: textOf(entry['as-uid']),
    impersonateGroups: textsOf(entry['as-groups']),
    impersonateExtra: Object.fromEntries(extra),
    plugin: isObject(entry.exec) ? execEntry(entry.exec, directory) : undefined,
    provider: isObject(entry['auth-provider'])
      ? { name: textOf(provider.name) ?? '', config: textMapOf(provider.config) }
      : undefined,
  };
}

function execEntry(entry: Yaml, directory: string): ExecEntry {
  const command = textOf(entry.command) ?? '';
  const env = arrayOf(entry.env)
    .map(mapOf)
    .map((item) => [textOf(item.name) ?? '', textOf(item.value) ?? '']);
  return {
    apiVersion: textOf(entry.apiVersion) ?? '',
    // Like kubectl: only a command with a path in it is relative to the file, others come from PATH.
    command: command.includes(path.sep) ? path.resolve(directory, command) : command,
    args: textsOf(entry.args),
    env: Object.fromEntries(env.filter(([name]) => name !== '')),
    installHint: textOf(entry.installHint),
    provideClusterInfo: entry.provideClusterInfo === true,
    interactiveMode: textOf(entry.interactiveMode) ?? 'IfAvailable',
  };
}

export function mapOf(value: unknown): Yaml {
  return isObject(value) ? value : {};
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

function textsOf(value: unknown): readonly string[] {
  return arrayOf(value)
    .map(textOf)
    .filter((text) => text !== undefined);
}

function textMapOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(mapOf(value)).map(([key, item]) => [key, textOf(item) ?? '']));
}

function pathOf(value: unknown, directory: string): string | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : path.resolve(directory, text);
}
