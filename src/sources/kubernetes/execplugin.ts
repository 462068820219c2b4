// How a credential plugin of a kubeconfig is run, and what it answers.

import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { messageOf, UserError } from '../../base/errors.ts';
import type { ClusterEntry, ExecEntry } from '../kubeconfig/kubeconfigentry.ts';
import type { Environment } from '../kubeconfig/kubeconfigfiles.ts';

/** What a plugin gave: a bearer token, or a client certificate and its key as PEM text, or both. */
export interface PluginCredential {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** A person may have to sign in meanwhile. */
const PLUGIN_TIMEOUT_MS = 5 * 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Runs the plugin once. It keeps the terminal's stdin and stderr, as with kubectl, so that it can ask its user
 * to sign in. Throws UserError when it is missing, fails, takes over 5 minutes or answers something else.
 */
export async function fetchPluginCredential(
  exec: ExecEntry,
  cluster: ClusterEntry,
  env: Environment,
): Promise<PluginCredential> {
  if (!VERSIONS.includes(exec.apiVersion)) {
    throw new UserError(
      `the credential plugin "${exec.command}" is configured for "${exec.apiVersion}", which is not supported`,
      `Set its apiVersion in the kubeconfig to ${VERSIONS[0]}, or renew the entry with the cloud's own tool.`,
    );
  }
  const interactive = exec.interactiveMode !== 'Never' && isatty(0);
  const info = execInfo(exec, cluster, interactive);
  const stdout = await runPlugin(exec, {
    env: { ...env, ...exec.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    stdin: interactive ? 'inherit' : 'ignore',
  });
  return parseExecCredential(stdout, exec);
}

/** What the plugin is told in KUBERNETES_EXEC_INFO: an ExecCredential without a status. */
function execInfo(exec: ExecEntry, cluster: ClusterEntry, interactive: boolean): object {
  const spec = exec.provideClusterInfo
    ? {
        interactive,
        cluster: {
          server: cluster.server,
          'tls-server-name': cluster.tlsServerName,
          'insecure-skip-tls-verify': cluster.skipTLSVerify || undefined,
          'certificate-authority-data': cluster.caData,
          'proxy-url': cluster.proxyUrl,
          config: cluster.execConfig,
        },
      }
    : { interactive };
  return { kind: 'ExecCredential', apiVersion: exec.apiVersion, spec };
}

interface PluginRun {
  readonly env: Environment;
  readonly stdin: 'inherit' | 'ignore';
}

function runPlugin(exec: ExecEntry, { env, stdin }: PluginRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(exec.command, exec.args, {
      env: { ...env },
      stdio: [stdin, 'pipe', 'inherit'],
      timeout: PLUGIN_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    child.on('error', (thrown) => reject(notStarted(exec, thrown)));
    child.on('close', (code, signal) => {
      if (size > MAX_ANSWER_BYTES) {
        reject(pluginFailed(exec, `printed more than ${MAX_ANSWER_BYTES / 1024 ** 2} MiB`));
      } else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else
        reject(pluginFailed(exec, code === null ? `was ended by ${signal}` : `ended with exit code ${code}`));
    });
  });
}

function notStarted(exec: ExecEntry, thrown: Error): UserError {
  const missing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
  return new UserError(
    missing
      ? `the credential plugin "${exec.command}" that the kubeconfig names is not installed`
      : `the credential plugin "${exec.command}" could not be started: ${messageOf(thrown)}`,
    exec.installHint?.trim() || 'Install it, or put its directory on PATH.',
    { cause: thrown },
  );
}

function pluginFailed(exec: ExecEntry, how: string): UserError {
  return new UserError(
    `the credential plugin "${exec.command}" ${how}`,
    'Sign in again with its own tool, then check with `kubectl auth whoami`.',
  );
}

/** Reads the ExecCredential that a plugin printed. Throws UserError; never repeats what it holds. */
export function parseExecCredential(printed: string, exec: ExecEntry): PluginCredential {
  const answer = readJson(printed) as
    | { kind?: unknown; apiVersion?: unknown; status?: Record<string, unknown> | null }
    | null
    | undefined;
  const status = answer?.status;
  if (answer?.kind !== 'ExecCredential' || typeof status !== 'object' || status === null) {
    throw pluginFailed(exec, 'printed something else than an ExecCredential with a status');
  }
  if (answer.apiVersion !== exec.apiVersion) {
    throw pluginFailed(exec, `answered in another version than ${exec.apiVersion}`);
  }
  const text = (key: string) =>
    typeof status[key] === 'string' && status[key] !== '' ? status[key] : undefined;
  const credential = {
    token: text('token'),
    certificate: text('clientCertificateData'),
    key: text('clientKeyData'),
  };
  const halfCertificate = (credential.certificate === undefined) !== (credential.key === undefined);
  if (halfCertificate || (credential.token === undefined && credential.certificate === undefined)) {
    throw pluginFailed(exec, 'gave neither a token nor a certificate with its key');
  }
  return credential;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
