// Which pods ztunnel captures, by their labels and annotations, and whether they have run long enough to be judged.

import type { Pod } from './kubernetes.ts';

// Set by istio-cni: `enabled` once a ztunnel has accepted the pod, `pending` (its traffic is dropped) before.
const REDIRECTION = 'ambient.istio.io/redirection';
/** Time for ztunnel to hear of a pod and to fetch its certificate. */
export const SETTLING_SECONDS = 60;

/** Set by sidecar injection, with a description of what was injected. */
export const SIDECAR_STATUS = 'sidecar.istio.io/status';

/** The label that asks for capture, of a pod or of its namespace. */
export const DATAPLANE_MODE = 'istio.io/dataplane-mode';

export const AMBIENT = 'ambient';
/** On a pod it overrules its namespace. */
export const NONE = 'none';

/** The values that mean something. */
export const MODES: ReadonlySet<string> = new Set([AMBIENT, NONE]);

/** The annotations that mean something here: all others of an object may hold anything. */
export const ANNOTATIONS: readonly string[] = [REDIRECTION, SIDECAR_STATUS];

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

/** Whether ztunnel runs the proxy of a pod that it has taken over, by the entry's `state`; before 1.22 there is none. */
export function isUp(state: string): boolean {
  return state === 'Up' || state === '';
}
