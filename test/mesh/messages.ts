// Which field numbers Kubernetes' messages have, as far as the embedded mesh writes them (from Kubernetes' generated.proto).

/**
 * `always`: not a pointer in Go, so its encoder writes it even when empty. `optional`: only when set.
 * `repeated`: one field per element.
 */
export type Presence = 'always' | 'optional' | 'repeated';
export type Scalar = 'string' | 'int32' | 'int64' | 'bool';
/** `time` is RFC 3339 text in JSON; `map` is string to string; `json` is kept as its own text. */
export type FieldType = Scalar | 'time' | 'map' | 'json' | Message;
export type Field = readonly [number: number, type: FieldType, presence: Presence];
export interface Message {
  readonly [jsonName: string]: Field;
}

const OWNER_REFERENCE: Message = {
  kind: [1, 'string', 'always'],
  name: [3, 'string', 'always'],
  uid: [4, 'string', 'always'],
  apiVersion: [5, 'string', 'always'],
  controller: [6, 'bool', 'optional'],
  blockOwnerDeletion: [7, 'bool', 'optional'],
};

const MANAGED_FIELDS: Message = {
  manager: [1, 'string', 'always'],
  operation: [2, 'string', 'always'],
  apiVersion: [3, 'string', 'always'],
  time: [4, 'time', 'optional'],
  fieldsType: [6, 'string', 'always'],
  fieldsV1: [7, 'json', 'optional'],
  subresource: [8, 'string', 'always'],
};

const OBJECT_META: Message = {
  name: [1, 'string', 'always'],
  generateName: [2, 'string', 'always'],
  namespace: [3, 'string', 'always'],
  selfLink: [4, 'string', 'always'],
  uid: [5, 'string', 'always'],
  resourceVersion: [6, 'string', 'always'],
  generation: [7, 'int64', 'always'],
  creationTimestamp: [8, 'time', 'always'],
  deletionTimestamp: [9, 'time', 'optional'],
  deletionGracePeriodSeconds: [10, 'int64', 'optional'],
  labels: [11, 'map', 'optional'],
  annotations: [12, 'map', 'optional'],
  ownerReferences: [13, OWNER_REFERENCE, 'repeated'],
  finalizers: [14, 'string', 'repeated'],
  managedFields: [17, MANAGED_FIELDS, 'repeated'],
};

const LIST_META: Message = {
  selfLink: [1, 'string', 'always'],
  resourceVersion: [2, 'string', 'always'],
  continue: [3, 'string', 'always'],
  remainingItemCount: [4, 'int64', 'optional'],
};

const POD_SPEC: Message = {
  containers: [2, { name: [1, 'string', 'always'], image: [2, 'string', 'always'] }, 'repeated'],
  serviceAccountName: [8, 'string', 'always'],
  serviceAccount: [9, 'string', 'always'],
  nodeName: [10, 'string', 'always'],
  hostNetwork: [11, 'bool', 'always'],
};

const CONDITION: Message = {
  type: [1, 'string', 'always'],
  status: [2, 'string', 'always'],
  lastProbeTime: [3, 'time', 'always'],
  lastTransitionTime: [4, 'time', 'always'],
  reason: [5, 'string', 'always'],
  message: [6, 'string', 'always'],
};

const CONTAINER_STATUS: Message = {
  name: [1, 'string', 'always'],
  ready: [4, 'bool', 'always'],
  restartCount: [5, 'int32', 'always'],
  image: [6, 'string', 'always'],
  imageID: [7, 'string', 'always'],
};

const POD_STATUS: Message = {
  phase: [1, 'string', 'always'],
  conditions: [2, CONDITION, 'repeated'],
  message: [3, 'string', 'always'],
  reason: [4, 'string', 'always'],
  hostIP: [5, 'string', 'always'],
  podIP: [6, 'string', 'always'],
  startTime: [7, 'time', 'optional'],
  containerStatuses: [8, CONTAINER_STATUS, 'repeated'],
  podIPs: [12, { ip: [1, 'string', 'always'] }, 'repeated'],
};

const STATEFUL_SET_SPEC: Message = {
  replicas: [1, 'int32', 'optional'],
  serviceName: [5, 'string', 'always'],
  ordinals: [11, { start: [1, 'int32', 'always'] }, 'optional'],
};

const STATEFUL_SET_STATUS: Message = {
  observedGeneration: [1, 'int64', 'always'],
  replicas: [2, 'int32', 'always'],
  readyReplicas: [3, 'int32', 'always'],
  currentReplicas: [4, 'int32', 'always'],
  updatedReplicas: [5, 'int32', 'always'],
  currentRevision: [6, 'string', 'always'],
  updateRevision: [7, 'string', 'always'],
  availableReplicas: [11, 'int32', 'always'],
};

const LEASE_SPEC: Message = {
  holderIdentity: [1, 'string', 'optional'],
  leaseDurationSeconds: [2, 'int32', 'optional'],
  acquireTime: [3, 'time', 'optional'],
  renewTime: [4, 'time', 'optional'],
  leaseTransitions: [5, 'int32', 'optional'],
  strategy: [6, 'string', 'optional'],
  preferredHolder: [7, 'string', 'optional'],
};

const STATUS_DETAILS: Message = {
  name: [1, 'string', 'always'],
  group: [2, 'string', 'always'],
  kind: [3, 'string', 'always'],
  retryAfterSeconds: [5, 'int32', 'always'],
  uid: [6, 'string', 'always'],
};

const METADATA_ONLY: Message = { metadata: [1, OBJECT_META, 'always'] };

/** By kind. Of the kinds that the program wants no more than metadata of, no more is written. */
export const MESSAGES: Readonly<Record<string, Message>> = {
  Node: METADATA_ONLY,
  ReplicaSet: METADATA_ONLY,
  Job: METADATA_ONLY,
  PartialObjectMetadata: METADATA_ONLY,
  Pod: {
    ...METADATA_ONLY,
    spec: [2, POD_SPEC, 'always'],
    status: [3, POD_STATUS, 'always'],
  },
  StatefulSet: {
    ...METADATA_ONLY,
    spec: [2, STATEFUL_SET_SPEC, 'always'],
    status: [3, STATEFUL_SET_STATUS, 'always'],
  },
  Lease: { ...METADATA_ONLY, spec: [2, LEASE_SPEC, 'always'] },
  Status: {
    metadata: [1, LIST_META, 'always'],
    status: [2, 'string', 'always'],
    message: [3, 'string', 'always'],
    reason: [4, 'string', 'always'],
    details: [5, STATUS_DETAILS, 'optional'],
    code: [6, 'int32', 'always'],
  },
};

/** The message of a kind; `<Kind>List` of a known kind is a list of it. */
export function messageOf(kind: string): Message {
  const single = MESSAGES[kind];
  if (single !== undefined) return single;
  const item = kind.endsWith('List') ? MESSAGES[kind.slice(0, -4)] : undefined;
  if (item === undefined) throw new Error(`the embedded mesh has no protobuf message for ${kind}`);
  return { metadata: [1, LIST_META, 'always'], items: [2, item, 'repeated'] };
}

/** The envelope: `runtime.Unknown` with its TypeMeta. */
export const TYPE_META: Message = { apiVersion: [1, 'string', 'always'], kind: [2, 'string', 'always'] };
