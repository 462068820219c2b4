// What is left of a Kubernetes object when it is redacted.

import { ANNOTATIONS, SIDECAR_STATUS } from '../captured.ts';
import type { KubeObject, Lease, ObjectMeta, OwnerReference, Pod, StatefulSet } from '../kubernetes.ts';
import { findImageTag } from '../ztunnels/ztunnels.ts';
import { redactVersion } from './dump.ts';
import { redactLabels } from './labels.ts';
import type { Names } from './names.ts';

/** Labels only tell equal ones, and of annotations the few that are read are there. */
export function redactMeta(metadata: ObjectMeta, names: Names): ObjectMeta {
  const { name, namespace, uid, creationTimestamp, deletionTimestamp } = metadata;
  const { labels, annotations, ownerReferences } = metadata;
  const read = Object.entries(annotations ?? {})
    // That there is a sidecar is all that is read of it.
    .map(([key, value]) => [key, key === SIDECAR_STATUS ? 'injected' : value] as const)
    .filter(([key, value]) => ANNOTATIONS.includes(key) && /^[a-z]+$/.test(value));
  return {
    name: names.name(name),
    ...(namespace !== undefined && { namespace: names.name(namespace) }),
    ...(uid !== undefined && { uid: names.digest(uid) }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(labels && { labels: redactLabels(labels, names) }),
    ...(read.length > 0 && { annotations: Object.fromEntries(read) }),
    ...(ownerReferences && { ownerReferences: ownerReferences.map((owner) => redactOwner(owner, names)) }),
  };
}

/** The kind says what it is; of one that Kubernetes does not bring, that is a name, too. */
function redactOwner(
  { apiVersion, kind, name, uid, controller }: OwnerReference,
  names: Names,
): OwnerReference {
  const own = /^(?:v1|(?:apps|batch|argoproj\.io)\/)/.test(apiVersion);
  return {
    apiVersion: own ? apiVersion : `${names.name(apiVersion.split('/')[0]!)}/v1`,
    kind: own ? kind : names.name(kind),
    name: names.name(name),
    uid: names.digest(uid),
    ...(controller !== undefined && { controller }),
  };
}

export function redactPod(pod: Pod, names: Names): Omit<Pod, keyof KubeObject> {
  const { spec, status } = pod;
  const tag = findImageTag(pod);
  return {
    ...(spec && {
      spec: {
        ...(spec.hostNetwork !== undefined && { hostNetwork: spec.hostNetwork }),
        ...(spec.nodeName !== undefined && { nodeName: names.name(spec.nodeName) }),
        ...(spec.serviceAccountName !== undefined && {
          serviceAccountName: names.name(spec.serviceAccountName),
        }),
      },
    }),
    ...(status && {
      status: {
        ...(status.phase !== undefined && { phase: status.phase }),
        ...(status.startTime !== undefined && { startTime: status.startTime }),
        ...(status.podIPs && { podIPs: status.podIPs.map(({ ip }) => ({ ip: names.address(ip ?? '') })) }),
        ...(status.conditions && { conditions: status.conditions.filter(({ type }) => type === 'Ready') }),
        ...(status.containerStatuses && {
          containerStatuses: status.containerStatuses.map(({ ready, restartCount }, index) => ({
            name: `c${index}`,
            ...(ready !== undefined && { ready }),
            ...(restartCount !== undefined && { restartCount }),
            ...(tag !== undefined && { image: `ztunnel:${redactVersion(tag, names)}` }),
          })),
        }),
      },
    }),
  };
}

export function redactLease({ spec }: Lease, names: Names): Omit<Lease, keyof KubeObject> {
  if (spec === undefined) return {};
  const { holderIdentity, strategy: _, preferredHolder: __, ...times } = spec;
  // What stands behind the first `_` makes it unique, and means nothing.
  const holder = holderIdentity?.split('_').map(names.name).join('_');
  return { spec: { ...times, ...(holder !== undefined && { holderIdentity: holder }) } };
}

export function redactStatefulSet({ spec, status }: StatefulSet): Omit<StatefulSet, keyof KubeObject> {
  const { replicas, ordinals } = spec ?? {};
  const { replicas: existing, readyReplicas } = status ?? {};
  return {
    ...(spec && {
      spec: { ...(replicas !== undefined && { replicas }), ...(ordinals && { ordinals }) },
    }),
    ...(status && {
      status: {
        ...(existing !== undefined && { replicas: existing }),
        ...(readyReplicas !== undefined && { readyReplicas }),
      },
    }),
  };
}
