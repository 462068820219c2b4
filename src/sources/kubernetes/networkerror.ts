// What a failed connection to the API server means, and what to do about it.

import { messageOf, UserError } from '../../base/errors.ts';

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
