// What the entries of a kubeconfig hold: clusters, users and contexts.

import path from 'node:path';

/** How to reach an API server. File paths are absolute; `…Data` is base64 of PEM and wins over the file. */
export interface ClusterEntry {
  readonly server: string;
  readonly caFile?: string | undefined;
  readonly caData?: string | undefined;
  readonly insecure: boolean;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  /** What exec plugins with `provideClusterInfo` are given as `spec.cluster.config`. */
  readonly execConfig?: unknown;
}

/** A command that prints an ExecCredential; `command` is absolute, or looked up on PATH. */
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

/** Who asks. `…Data` is base64 of PEM and wins over the file; `tokenFile` wins over `token`. */
export interface UserEntry {
  readonly certFile?: string | undefined;
  readonly certData?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly keyData?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly as?: string | undefined;
  readonly asUid?: string | undefined;
  readonly asGroups: readonly string[];
  readonly asExtra: Readonly<Record<string, readonly string[]>>;
  readonly exec?: ExecEntry | undefined;
  readonly authProvider?: AuthProvider | undefined;
}

/** What logged in before there were plugins; of those that kubectl had, oidc is left. */
export interface AuthProvider {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

export interface ContextEntry {
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string | undefined;
}

/** A user that brings nothing: no context, or a context without one. */
export const NOBODY: UserEntry = { asGroups: [], asExtra: {} };

/** A mapping as it was read; anything may stand in it. */
export type Yaml = { readonly [key: string]: unknown };

export function clusterEntry(entry: Yaml, directory: string): ClusterEntry {
  return {
    server: textOf(entry.server) ?? '',
    caFile: pathOf(entry['certificate-authority'], directory),
    caData: textOf(entry['certificate-authority-data']),
    insecure: entry['insecure-skip-tls-verify'] === true,
    tlsServerName: textOf(entry['tls-server-name']),
    proxyUrl: textOf(entry['proxy-url']),
    execConfig: arrayOf(entry.extensions)
      .map(mapOf)
      .find((extension) => extension.name === 'client.authentication.k8s.io/exec')?.extension,
  };
}

export function contextEntry(entry: Yaml): ContextEntry {
  return {
    cluster: textOf(entry.cluster) ?? '',
    user: textOf(entry.user) ?? '',
    namespace: textOf(entry.namespace),
  };
}

export function userEntry(entry: Yaml, directory: string): UserEntry {
  const provider = mapOf(entry['auth-provider']);
  const extra = Object.entries(mapOf(entry['as-user-extra'])).map(([key, values]) => [key, textsOf(values)]);
  return {
    certFile: pathOf(entry['client-certificate'], directory),
    certData: textOf(entry['client-certificate-data']),
    keyFile: pathOf(entry['client-key'], directory),
    keyData: textOf(entry['client-key-data']),
    token: textOf(entry.token),
    tokenFile: pathOf(entry.tokenFile, directory),
    username: textOf(entry.username),
    password: textOf(entry.password),
    as: textOf(entry.as),
    asUid: textOf(entry['as-uid']),
    asGroups: textsOf(entry['as-groups']),
    asExtra: Object.fromEntries(extra),
    exec: isMap(entry.exec) ? execEntry(entry.exec, directory) : undefined,
    authProvider: isMap(entry['auth-provider'])
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

export function isMap(value: unknown): value is Yaml {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapOf(value: unknown): Yaml {
  return isMap(value) ? value : {};
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
