// How Leases, pods and certificates become the rows of `leases`.

import { compareBy, compareText } from '../../base/order.ts';
import { formatIdentity } from '../certificates/identity.ts';
import type { CertificateItem, Owners, Status } from '../items.ts';
import type { Lease, Pod } from '../kubernetes.ts';
import { compareGravity } from '../order.ts';
import { createOwnerLookup, groupByOwner } from '../owners/owners.ts';
import { placeOf } from '../owners/pods.ts';
import type { Inventory } from '../types.ts';
import { createHolderLookup, findRenewal, type Holder, judgeLease, type LeaseStatus } from './leases.ts';

/** One Lease: a row of `leases`. */
export interface LeaseItem {
  readonly lease: Lease;
  readonly holder: Holder;
  readonly owner: Owners;
  readonly status: LeaseStatus;
  /** Whole seconds from the reference time to the last renewal, negative for the past; null if there is none. */
  readonly renewedSeconds: number | null;
  /** Of the holder's service account on its node; null where certificates were not asked for or are not known. */
  readonly certificate: { readonly identity: string; readonly status: Status } | null;
}

export interface LeaseInput {
  readonly leases: readonly Lease[];
  /** Names of nodes that are known, besides those that pods run on. */
  readonly nodes: readonly string[];
  readonly inventory: Inventory;
  /** Judged; empty if not asked for. */
  readonly certificates: readonly CertificateItem[];
  readonly reference: Date;
  /** Saved Leases without a time to judge them at are judged as of their own renewal. */
  readonly asOfRenewal: boolean;
}

/** In the order of namespace and name. */
export function joinLeases(input: LeaseInput): readonly LeaseItem[] {
  const { pods } = input.inventory;
  const holderOf = createHolderLookup(pods.known ? pods.items : [], input.nodes);
  const ownerOf = createHolderOwners(input.inventory);
  const at = input.reference.getTime();
  return input.leases.toSorted(compareLeases).map((lease) => {
    const holder = holderOf(lease);
    const renewed = findRenewal(lease);
    return {
      lease,
      holder,
      owner: ownerOf(holder),
      status: judgeLease(lease, input.asOfRenewal ? (renewed ?? at) : at),
      renewedSeconds: renewed === undefined ? null : Math.trunc((renewed - at) / 1000) + 0,
      certificate: holder.kind === 'pod' ? findCertificate(holder.pod, input.certificates) : null,
    };
  });
}

function createHolderOwners(inventory: Inventory): (holder: Holder) => Owners {
  const ownerOf = createOwnerLookup(inventory);
  const { pods } = inventory;
  return (holder) => {
    if (holder.kind === 'pod') {
      const { pod } = holder;
      return { known: true, owners: groupByOwner([{ name: pod.metadata.name, owner: ownerOf(pod) }]) };
    }
    if (holder.kind === 'node') {
      const node = { kind: 'Node', namespace: '', name: holder.name, ready: null, desired: null, pods: [] };
      return { known: true, owners: [node] };
    }
    if (holder.kind === 'none') return { known: true, owners: [] };
    return { known: false, why: !pods.known && pods.why === 'forbidden' ? 'forbidden' : 'unknown' };
  };
}

/** The worst of what the ztunnels of the pod's node list for its service account. */
function findCertificate(pod: Pod, certificates: readonly CertificateItem[]): LeaseItem['certificate'] {
  const place = placeOf(pod);
  const [worst] = certificates
    .filter(
      ({ node, namespace, serviceAccount }) =>
        node === place?.node && namespace === place?.namespace && serviceAccount === place?.serviceAccount,
    )
    .toSorted(compareGravity);
  if (!worst || !place || worst.trustDomain === null) return null;
  return { identity: formatIdentity({ ...place, trustDomain: worst.trustDomain }), status: worst.status };
}

const compareLeases = compareBy<Lease>(
  (a, b) => compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? ''),
  (a, b) => compareText(a.metadata.name, b.metadata.name),
);
