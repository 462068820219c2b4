// Which pods ztunnel captures, and whether they have run long enough to be judged.

import type { Pod } from '../kubernetes.ts';

// Set by istio-cni: `enabled` once a ztunnel has accepted the pod, `pending` (its traffic is dropped) before.
const REDIRECTION = 'ambient.istio.io/redirection';
// Time for ztunnel to hear of a pod and to fetch its certificate.
const SETTLING = 60_000;

/** The annotations that mean something here: all others of an object may hold anything. */
export const ANNOTATIONS: readonly string[] = [REDIRECTION];

/** Running, staying, with a network of its own, and accepted by a ztunnel. */
export function isCaptured(pod: Pod): boolean {
  return runningRedirectionOf(pod) === 'enabled';
}

/** Captured, while no ztunnel has accepted it yet. */
export function isPending(pod: Pod): boolean {
  return runningRedirectionOf(pod) === 'pending';
}

/** Started more than a minute before the reference time. */
export function hasSettled({ metadata, status }: Pod, reference: Date): boolean {
  const started = Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
  return reference.getTime() - started > SETTLING;
}

/** What istio-cni says of a pod, whatever has become of it; it says so before the first container starts. */
export function redirectionOf({ metadata }: Pod): string | undefined {
  return metadata.annotations?.[REDIRECTION];
}

function runningRedirectionOf(pod: Pod): string | undefined {
  const { metadata, spec, status } = pod;
  if (status?.phase !== 'Running' || spec?.hostNetwork || metadata.deletionTimestamp) return undefined;
  return redirectionOf(pod);
}
