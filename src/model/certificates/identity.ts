// How a workload's identity is written as a SPIFFE id.

/** The three parts of an identity, none of them ''. */
export interface Identity {
  readonly trustDomain: string;
  readonly namespace: string;
  readonly serviceAccount: string;
}

const SPIFFE_ID = /^spiffe:\/\/([^/]+)\/ns\/([^/]+)\/sa\/([^/]+)$/;

/** Reads `spiffe://<trust domain>/ns/<namespace>/sa/<service account>`; undefined for any other text. */
export function parseIdentity(text: string): Identity | undefined {
  const [, trustDomain, namespace, serviceAccount] = SPIFFE_ID.exec(text) ?? [];
  if (!trustDomain || !namespace || !serviceAccount) return undefined;
  return { trustDomain, namespace, serviceAccount };
}

/** The SPIFFE id of an identity. */
export function formatIdentity(identity: Identity): string {
  return `spiffe://${formatPrincipal(identity)}`;
}

/** `td/ns/x/sa/y`: how an AuthorizationPolicy's `principals` names the identity. */
export function formatPrincipal({ trustDomain, namespace, serviceAccount }: Identity): string {
  return `${trustDomain}/ns/${namespace}/sa/${serviceAccount}`;
}
