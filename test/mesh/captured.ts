// Which pods a ztunnel hears of, which of them it captures, and under which identities.

import type { Manifest } from './resources.ts';

/** The identities that a ztunnel on `node` asks certificates for. */
export function prefetched(pods: readonly Manifest[], node: string, trustDomain: string): readonly string[] {
  return pods
    .filter((pod) => isKnown(pod) && pod.spec?.nodeName === node && (isCaptured(pod) || isWaypoint(pod)))
    .map((pod) => identityOf(trustDomain, pod.metadata.namespace ?? '', serviceAccountOf(pod)));
}

export function identityOf(trustDomain: string, namespace: string, serviceAccount: string): string {
  return `spiffe://${trustDomain}/ns/${namespace}/sa/${serviceAccount}`;
}

/** istiod sends no pods that have ended, and none without an address. */
export function isKnown(pod: Manifest): boolean {
  const phase = pod.status?.phase;
  return phase !== 'Succeeded' && phase !== 'Failed' && pod.status?.podIP !== undefined;
}

export function isCaptured(pod: Manifest): boolean {
  return pod.metadata.annotations?.['ambient.istio.io/redirection'] === 'enabled';
}

export function isWaypoint(pod: Manifest): boolean {
  return pod.metadata.labels?.['gateway.istio.io/managed'] === 'istio.io-mesh-controller';
}

export function serviceAccountOf(pod: Manifest): string {
  return String(pod.spec?.serviceAccountName ?? 'default');
}
