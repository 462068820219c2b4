// Which message holds which kind of Kubernetes object.

import { MESSAGES } from './generated/messages.ts';
import type { Message } from './message.ts';

export interface SchemeEntry {
  /** `group/version`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** For an object on its own. */
  readonly object: Message;
  /** For an item of a list, of which there may be thousands. */
  readonly item: Message;
}

const LEASE = MESSAGES['k8s.io.api.coordination.v1.Lease'];
const LEASE_BETA = MESSAGES['k8s.io.api.coordination.v1beta1.Lease'];
const STATEFUL_SET = MESSAGES['ztunnel.cut.StatefulSet'];
const POD = MESSAGES['ztunnel.cut.Pod'];
const METADATA = MESSAGES['ztunnel.cut.Metadata'];

/** Istio's kinds have the same fields in every version. */
const ISTIO_VERSIONS = ['v1', 'v1beta1', 'v1alpha3'] as const;
const SERVICE_ENTRY = MESSAGES['ztunnel.cut.ServiceEntry'];
const DESTINATION_RULE = MESSAGES['ztunnel.cut.DestinationRule'];
const ISTIO = ISTIO_VERSIONS.map((version) => `networking.istio.io/${version}`).flatMap((apiVersion) => [
  { apiVersion, kind: 'ServiceEntry', object: SERVICE_ENTRY, item: SERVICE_ENTRY },
  { apiVersion, kind: 'DestinationRule', object: DESTINATION_RULE, item: DESTINATION_RULE },
]);

/** One entry a kind; lists follow from their items. */
export const SCHEME: readonly SchemeEntry[] = [
  { apiVersion: 'v1', kind: 'Pod', object: POD, item: POD },
  { apiVersion: 'v1', kind: 'Namespace', object: METADATA, item: METADATA },
  { apiVersion: 'apps/v1', kind: 'StatefulSet', object: STATEFUL_SET, item: STATEFUL_SET },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', object: METADATA, item: METADATA },
  { apiVersion: 'batch/v1', kind: 'Job', object: METADATA, item: METADATA },
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', object: LEASE, item: LEASE },
  { apiVersion: 'coordination.k8s.io/v1beta1', kind: 'Lease', object: LEASE_BETA, item: LEASE_BETA },
  { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', object: METADATA, item: METADATA },
  ...ISTIO,
];

/** What a list has besides its items. */
export const LIST_META: Message = MESSAGES['k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta'];

/** The answer that is no object: an error, or that something is done. */
export const STATUS: Message = MESSAGES['k8s.io.apimachinery.pkg.apis.meta.v1.Status'];

const BY_NAME: ReadonlyMap<string, SchemeEntry> = new Map(
  SCHEME.map((entry) => [`${entry.apiVersion}/${entry.kind}`, entry]),
);

/** The entry of a kind; undefined when this program does not read it. */
export function findEntry(apiVersion: string, kind: string): SchemeEntry | undefined {
  return BY_NAME.get(`${apiVersion}/${kind}`);
}
