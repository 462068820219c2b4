// What an API server's refusal says, as an error with a next step.

import { ForbiddenError, UserError } from '../../base/errors.ts';
import { decodeKube } from '../../decode/kube/object.ts';
import { clusterRole } from './rights.ts';

/** What was asked for, for the sentence about why it was refused. */
export interface Attempt {
  /** Its address; undefined where it goes without saying. */
  readonly server: string | undefined;
  /** What a role must grant, e.g. ['list'], or ['get', 'create']. */
  readonly verbs: readonly string[];
  /** As in a role: `pods`, `pods/portforward`, `leases.coordination.k8s.io`. */
  readonly resource: string;
  /** undefined: in all namespaces. */
  readonly namespace: string | undefined;
}

export interface Refusal {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

/** An answer that is not a success, as a UserError; a 403 as a ForbiddenError naming the missing right. */
export function apiError(refusal: Refusal, attempt: Attempt): UserError {
  const { server, namespace } = attempt;
  const said = statusMessage(refusal);
  const { status } = refusal;
  if (said === undefined && looksForeign(refusal)) return notKubernetes(server, status);
  const reason = said === undefined ? `it answered with HTTP status ${status}` : said;
  if (status === 401) {
    return new UserError(
      `${nameServer(server)} does not accept the credentials: ${reason}`,
      'Sign in to the cluster again, or choose another context with --context; check with `kubectl auth whoami`.',
    );
  }
  if (status === 403) return forbidden(attempt, reason);
  const scope = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return new UserError(
    `${nameServer(server)} can't serve ${attempt.resource}${scope}: ${reason}`,
    HINTS[status] ?? (status >= 500 ? OVERLOADED : WRONG_SERVER),
  );
}

function nameServer(server: string | undefined): string {
  return server === undefined ? 'the API server' : `the API server ${server}`;
}

const OVERLOADED = 'Check the health of the API server with `kubectl get --raw /readyz`, then try again.';
const WRONG_SERVER = 'Check that `server` of the kubeconfig context is the Kubernetes API server.';
const HINTS: Readonly<Record<number, string>> = {
  429: 'The API server is overloaded: try again later.',
  410: 'The list changed while it was read: try again.',
};

function forbidden({ server, verbs, resource, namespace }: Attempt, reason: string): ForbiddenError {
  const scope = namespace === undefined ? 'in all namespaces' : `in namespace ${namespace}`;
  return new ForbiddenError(
    `${nameServer(server)} refuses: ${reason}`,
    `This needs ${verbs.map((verb) => `"${verb}"`).join(' and ')} on "${resource}" ${scope}; the ClusterRole kubectl-ztunnel grants it.`,
    { clusterRole: clusterRole() },
  );
}

/** For answers that no API server gives: a login page, a proxy's error page, another service. */
export function notKubernetes(server: string | undefined, status: number): UserError {
  return new UserError(
    `${server ?? nameServer(server)} answered (HTTP status ${status}), but not as a Kubernetes API server`,
    `${WRONG_SERVER.slice(0, -1)}, not a login page or a proxy, or choose another context with --context.`,
  );
}

function looksForeign({ contentType = '', status }: Refusal): boolean {
  return contentType.startsWith('text/html') || (status >= 300 && status < 400);
}

/** The message of a Status body in either encoding, or the first line of a short plain text. */
function statusMessage({ body, contentType }: Refusal): string | undefined {
  if (body.length === 0) return undefined;
  if (contentType?.startsWith('text/plain')) return oneLine(Buffer.from(body).toString('utf8'));
  try {
    const document = decodeKube(body, contentType);
    return document.type === 'status' ? oneLine(document.status.message ?? '') : undefined;
  } catch {
    return undefined;
  }
}

function oneLine(text: string): string | undefined {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? '';
  const short = line.length > 600 ? `${line.slice(0, 600)}…` : line;
  // Kubernetes 1.35 ends with a colon, and nothing behind it, where only `create` on pods/portforward is missing.
  return short.replace(/[.:]$/, '') || undefined;
}
