// Which pods ztunnel captures, and whether they have run long enough to be judged.

import type { Pod } from '../kubernetes.ts';

// Set by istio-cni: `enabled` once a ztunnel has accepted the pod, `pending` (its traffic is dropped) before.
const REDIRECTION = 'ambient.istio.io/redirection';
/** Time for ztunnel to hear of a pod and to fetch its certificate. */
export const SETTLING_SECONDS = 60;

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

/** How long a pod has run, in seconds; NaN if it does not say. */
export function ageOf({ metadata, status }: Pod, reference: Date): number {
  return (reference.getTime() - Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '')) / 1000;
}

/** Started more than a minute before the reference time. */
export function hasSettled(pod: Pod, reference: Date): boolean {
  return ageOf(pod, reference) > SETTLING_SECONDS;
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
