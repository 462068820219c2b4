// StatefulSets that together set every field of a pod template, each valid: one-of fields need several.

import { VOLUMES } from './everyvolume.ts';

type Spec = Readonly<Record<string, unknown>>;

const labels = { app: 'every-field' };
const at = '2026-11-29T22:03:42Z';
const requirements = [{ key: 'disk', operator: 'In', values: ['fast'] }];
const selector = { matchLabels: labels, matchExpressions: requirements };
const handlers = {
  exec: { exec: { command: ['true'] } },
  httpGet: {
    httpGet: {
      path: '/ready',
      port: 'web',
      host: 'localhost',
      scheme: 'HTTPS',
      httpHeaders: [{ name: 'X-Probe', value: 'yes' }],
    },
  },
  tcpSocket: { tcpSocket: { port: 8080, host: 'localhost' } },
  grpc: { grpc: { port: 9090, service: 'health' } },
  sleep: { sleep: { seconds: 3 } },
};
const probe = {
  initialDelaySeconds: 1,
  timeoutSeconds: 2,
  periodSeconds: 3,
  successThreshold: 1,
  failureThreshold: 4,
};

const env = [
  { name: 'PLAIN', value: '<&> "é"' },
  { name: 'FIELD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
  {
    name: 'RESOURCE',
    valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' } },
  },
  { name: 'MAP', valueFrom: { configMapKeyRef: { name: 'settings', key: 'k', optional: true } } },
  { name: 'SECRET', valueFrom: { secretKeyRef: { name: 'secrets', key: 'k', optional: false } } },
  { name: 'FILE', valueFrom: { fileKeyRef: { volumeName: 'empty', path: 'env', key: 'K', optional: true } } },
];

const main: Spec = {
  name: 'main',
  image: 'registry.example/app:1',
  command: ['app'],
  args: ['--port', '8080'],
  workingDir: '/work',
  ports: [{ name: 'web', hostPort: 8080, containerPort: 8080, protocol: 'TCP', hostIP: '127.0.0.1' }],
  envFrom: [
    { prefix: 'A_', configMapRef: { name: 'settings', optional: true } },
    { prefix: 'B_', secretRef: { name: 'secrets', optional: true } },
  ],
  env,
  resources: {
    limits: { cpu: '1500m', memory: '1.5Gi' },
    requests: { cpu: '0.5', memory: '1024Mi' },
    claims: [{ name: 'gpu', request: 'one' }],
  },
  resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
  volumeMounts: [
    {
      name: 'empty',
      readOnly: true,
      recursiveReadOnly: 'IfPossible',
      mountPath: '/empty',
      subPath: 'a',
      mountPropagation: 'None',
    },
    { name: 'configmap', mountPath: '/config', subPathExpr: '$(PLAIN)' },
  ],
  volumeDevices: [{ name: 'block', devicePath: '/dev/block' }],
  livenessProbe: { ...handlers.httpGet, ...probe, terminationGracePeriodSeconds: 7 },
  readinessProbe: { ...handlers.tcpSocket, ...probe, successThreshold: 2 },
  startupProbe: { ...handlers.grpc, ...probe },
  lifecycle: { postStart: handlers.exec, preStop: handlers.httpGet },
  terminationMessagePath: '/dev/end',
  terminationMessagePolicy: 'FallbackToLogsOnError',
  imagePullPolicy: 'Always',
  securityContext: {
    capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
    privileged: false,
    seLinuxOptions: { user: 'u', role: 'r', type: 't', level: 'l' },
    windowsOptions: {
      gmsaCredentialSpecName: 'gmsa',
      gmsaCredentialSpec: '{}',
      runAsUserName: 'user',
      hostProcess: false,
    },
    runAsUser: 2_000_000_000,
    runAsGroup: 1000,
    runAsNonRoot: true,
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    procMount: 'Default',
    seccompProfile: { type: 'Localhost', localhostProfile: 'profile.json' },
    appArmorProfile: { type: 'Localhost', localhostProfile: 'profile' },
  },
  stdin: true,
  stdinOnce: true,
  tty: true,
};

const second: Spec = {
  name: 'second',
  image: 'registry.example/app:2',
  livenessProbe: { ...handlers.exec },
  lifecycle: { postStart: handlers.tcpSocket, preStop: handlers.sleep },
  restartPolicy: 'Never',
  restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42, -1] } }],
};

const term = {
  labelSelector: selector,
  namespaces: ['shop'],
  topologyKey: 'zone',
  namespaceSelector: selector,
  matchLabelKeys: ['one'],
  mismatchLabelKeys: ['two'],
};
const podTerms = {
  requiredDuringSchedulingIgnoredDuringExecution: [term],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, podAffinityTerm: term }],
};
const nodeTerm = {
  matchExpressions: requirements,
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-a'] }],
};
const affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: nodeTerm }],
  },
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
};

const metadata = {
  name: 'template',
  generateName: 'template-',
  namespace: 'shop',
  selfLink: '/self',
  uid: 'uid-1',
  resourceVersion: '1',
  generation: 2 ** 53 - 1,
  creationTimestamp: at,
  deletionTimestamp: at,
  deletionGracePeriodSeconds: 30,
  labels: { ...labels, z: '', a: 'x' },
  annotations: { note: 'Grüße 🚀 <b>\u2028' },
  ownerReferences: [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      name: 'owner',
      uid: 'uid-2',
      controller: true,
      blockOwnerDeletion: false,
    },
  ],
  finalizers: ['example.com/finalizer'],
  managedFields: [
    {
      manager: 'me',
      operation: 'Apply',
      apiVersion: 'v1',
      time: at,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'k:{"name":"main"}': { '.': {} } } },
      subresource: 'status',
    },
  ],
};

const podOfAll: Spec = {
  volumes: VOLUMES,
  initContainers: [{ name: 'sidecar', image: 'registry.example/sidecar:1', restartPolicy: 'Always' }],
  containers: [main, second],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirstWithHostNet',
  nodeSelector: { disk: 'fast' },
  serviceAccountName: 'account',
  serviceAccount: 'account',
  automountServiceAccountToken: false,
  nodeName: 'node-a',
  hostNetwork: true,
  hostPID: true,
  hostIPC: true,
  shareProcessNamespace: false,
  securityContext: {
    seLinuxOptions: { level: 'l' },
    windowsOptions: { runAsUserName: 'user' },
    runAsUser: 0,
    runAsGroup: 0,
    runAsNonRoot: false,
    supplementalGroups: [1, 2_000_000_000],
    supplementalGroupsPolicy: 'Strict',
    fsGroup: 3,
    fsGroupChangePolicy: 'OnRootMismatch',
    seccompProfile: { type: 'RuntimeDefault' },
    appArmorProfile: { type: 'RuntimeDefault' },
    seLinuxChangePolicy: 'Recursive',
  },
  imagePullSecrets: [{ name: 'pull' }],
  hostname: 'host',
  subdomain: 'sub',
  affinity,
  schedulerName: 'mine',
  tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: -5 }],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'b'] }],
  priorityClassName: 'high',
  priority: -7,
  dnsConfig: {
    nameservers: ['10.0.0.10'],
    searches: ['example.com'],
    options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
  },
  readinessGates: [{ conditionType: 'example.com/ready' }],
  runtimeClassName: 'kata',
  enableServiceLinks: false,
  preemptionPolicy: 'Never',
  overhead: { cpu: '250m' },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
      minDomains: 2,
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
      matchLabelKeys: ['one'],
    },
  ],
  setHostnameAsFQDN: true,
  hostUsers: true,
  schedulingGates: [{ name: 'example.com/gate' }],
  resourceClaims: [
    { name: 'gpu', resourceClaimName: 'claim' },
    { name: 'net', resourceClaimTemplateName: 'claims' },
  ],
  resources: { limits: { cpu: '4', memory: '4Gi' }, requests: { cpu: '3', memory: '3Gi' } },
  workloadRef: { name: 'work', podGroup: 'group', podGroupReplicaKey: 'replica' },
};

/** Fields that exclude others of the first. */
const podOnLinux: Spec = {
  os: { name: 'linux' },
  hostnameOverride: 'other',
  securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] },
  containers: [{ name: 'main', image: 'registry.example/app:1', lifecycle: { stopSignal: 'SIGUSR1' } }],
};

const claims = [
  {
    metadata: { name: 'data', labels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      selector,
      resources: { limits: { storage: '2Gi' }, requests: { storage: '1Gi' } },
      volumeName: 'pv',
      storageClassName: '',
      volumeMode: 'Block',
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' },
      volumeAttributesClassName: 'gold',
    },
  },
  {
    metadata: { name: 'other' },
    spec: {
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: '1000' } },
      dataSourceRef: {
        apiGroup: 'snapshot.storage.k8s.io',
        kind: 'VolumeSnapshot',
        name: 'snap',
        namespace: 'shop',
      },
    },
  },
];

const statefulSet = (name: string, template: object, more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: { selector: { matchLabels: labels }, serviceName: 'x', template, ...more },
});

export const STATEFUL_SETS = [
  statefulSet(
    'of-all',
    { metadata, spec: podOfAll },
    {
      replicas: 0,
      minReadySeconds: 5,
      revisionHistoryLimit: 0,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: '10%' } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      ordinals: { start: 0 },
      volumeClaimTemplates: claims,
    },
  ),
  statefulSet('on-linux', { metadata: { labels }, spec: podOnLinux }),
];

/** With a time and a number for each field of its spec. */
export const LEASE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'all', labels, annotations: { note: 'x' }, finalizers: ['example.com/finalizer'] },
  spec: {
    holderIdentity: 'me',
    leaseDurationSeconds: 15,
    acquireTime: '2026-11-29T22:03:42.123456Z',
    renewTime: '2026-11-29T22:03:43.000000Z',
    leaseTransitions: 0,
    strategy: 'OldestEmulationVersion',
    preferredHolder: 'you',
  },
};

export const leaseCandidate = (version: string) => ({
  apiVersion: `coordination.k8s.io/${version}`,
  kind: 'LeaseCandidate',
  metadata: { name: `all-${version}` },
  spec: {
    leaseName: 'all',
    pingTime: '2026-11-29T22:03:42.000001Z',
    renewTime: '2026-11-29T22:03:43.500000Z',
    binaryVersion: '1.35.4',
    emulationVersion: '1.35.0',
    strategy: 'OldestEmulationVersion',
  },
});

export const STATUS = {
  observedGeneration: 1,
  replicas: 3,
  readyReplicas: 2,
  currentReplicas: 1,
  updatedReplicas: 2,
  currentRevision: 'a',
  updateRevision: 'b',
  collisionCount: 0,
  conditions: [
    { type: 'A', status: 'True', lastTransitionTime: at, reason: 'R', message: 'm' },
    { type: 'B', status: 'False', lastTransitionTime: null },
  ],
  availableReplicas: 1,
};

/** What validation refuses in the template of a StatefulSet; other tests have pairs with these, too. */
export const REFUSED = ['PodSpec.ephemeralContainers', 'PodSpec.activeDeadlineSeconds'];
