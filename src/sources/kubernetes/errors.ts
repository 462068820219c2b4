// What a failed connection to the API server, or its refusal, means, as an error with a next step.

import { ForbiddenError, messageOf, UserError } from '../../base/errors.ts';
import { decodeKube } from '../../decode/kube/object.ts';
import { clusterRole } from './resources.ts';

type Explanation = readonly [what: string, hint: string];

const REACH = 'Check that the cluster is up and that this machine can reach it (VPN, proxy, firewall).';
const ADDRESS = 'Check `server` of the kubeconfig context, or choose another with --context.';
const TRUST =
  'Check certificate-authority-data in the kubeconfig, or get a fresh kubeconfig for this cluster.';
const CLIENT = 'Check the client certificate in the kubeconfig, or sign in to the cluster again.';

/** By Node's error code. */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ['refused the connection', REACH],
  ENOTFOUND: ['has a host name that does not resolve', ADDRESS],
  EAI_AGAIN: ['has a host name that could not be resolved just now', REACH],
  ETIMEDOUT: ['could not be reached: the connection timed out', REACH],
  EHOSTUNREACH: ['could not be reached: there is no route to the host', REACH],
  ENETUNREACH: ['could not be reached: there is no route to the network', REACH],
  ECONNRESET: ['closed the connection without an answer', REACH],
  ABORTED: ['closed the connection before its answer was whole', REACH],
  EPIPE: ['closed the connection without an answer', REACH],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['has a self-signed certificate that the kubeconfig does not trust', TRUST],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'has a certificate from an authority that the kubeconfig does not trust',
    TRUST,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'has a certificate from an authority that the kubeconfig does not trust',
    TRUST,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'has a certificate from an authority that the kubeconfig does not trust',
    TRUST,
  ],
  CERT_SIGNATURE_FAILURE: ['has a certificate whose signature does not match the trusted authority', TRUST],
  CERT_HAS_EXPIRED: [
    'has an expired certificate',
    'Check the clock of this machine, or renew the certificate of the API server.',
  ],
  CERT_NOT_YET_VALID: ['has a certificate that is not valid yet', 'Check the clock of this machine.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'has a certificate for another host name',
    'Check `server` of the kubeconfig context, or set its tls-server-name to a name in the certificate.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: [
    'does not speak TLS',
    'Check host and port of `server` in the kubeconfig; does it want http:// instead of https://?',
  ],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['does not speak TLS', ADDRESS],
  ERR_INVALID_CHAR: [
    'was not asked: the token or the name to impersonate holds what no request can, such as a line break',
    'Check --token, --as and their like, and the user of the kubeconfig.',
  ],
  EPROTO: ['could not agree on TLS', ADDRESS],
};

/** Codes that come in families, by how they begin. */
const FAMILIES: readonly (readonly [prefix: string, explanation: Explanation])[] = [
  ['HPE_', ['does not speak HTTP', ADDRESS]],
  ['ERR_SSL_TLSV1', ['refused the TLS handshake', CLIENT]],
  ['ERR_SSL_SSL', ['refused the TLS handshake', CLIENT]],
  ['ERR_OSSL', ["can't be asked with the certificate or key of the kubeconfig", CLIENT]],
  ['ERR_SSL', ['could not agree on TLS', ADDRESS]],
];

/** A thrown network error as a sentence about `server`, whose address may go without saying; a UserError passes through. */
export function networkError(thrown: unknown, server: string | undefined): Error {
  if (thrown instanceof UserError) return thrown;
  const code = codeOf(thrown);
  const [what, hint] = EXPLANATIONS[code] ??
    FAMILIES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? [
      `could not be asked: ${messageOf(thrown) || code}`,
      REACH,
    ];
  const who = server === undefined ? 'the API server' : `the API server ${server}`;
  return new UserError(`${who} ${what}`, hint, { cause: thrown });
}

function codeOf(thrown: unknown): string {
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  // OpenSSL's "wrong version number" comes as EPROTO from some releases of Node.
  if (typeof message === 'string' && message.includes('wrong version number')) {
    return 'ERR_SSL_WRONG_VERSION_NUMBER';
  }
  // node:http says so of a body that ends too early, under the code of a reset connection.
  if (message === 'aborted') return 'ABORTED';
  return typeof code === 'string' ? code : '';
}

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
