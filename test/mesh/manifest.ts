// What all made-up Kubernetes objects have: names, a uid, an age and the reference to an owner.

import { before, uidOf } from './names.ts';
import type { Data, Manifest } from './resources.ts';

/** Enough to name an object and to refer to it. `namespace` is '' for cluster-wide ones. */
export interface OwnerKey {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export const THREE_DAYS = 259_200;

/** An object without spec and status, three days old at `at` unless it says otherwise. */
export function object(
  key: OwnerKey,
  at: string,
  options: { readonly ageSeconds?: number },
  owner?: OwnerKey,
): Manifest {
  return {
    apiVersion: key.apiVersion,
    kind: key.kind,
    metadata: {
      name: key.name,
      ...(key.namespace ? { namespace: key.namespace } : {}),
      uid: uidOf(key.kind, key.namespace, key.name),
      creationTimestamp: before(at, options.ageSeconds ?? THREE_DAYS),
      ...(owner ? { ownerReferences: [reference(owner)] } : {}),
    },
  };
}

function reference(owner: OwnerKey): Data {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.name,
    uid: uidOf(owner.kind, owner.namespace, owner.name),
    controller: true,
    blockOwnerDeletion: true,
  };
}
