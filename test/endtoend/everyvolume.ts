// Volumes of every type, each with all that it can hold.

const labels = { app: 'every-field' };
const secretRef = { name: 'secret' };
const items = [{ key: 'k', path: 'p', mode: 0o400 }];
const selector = {
  matchLabels: labels,
  matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }],
};
const resourceFile = {
  path: 'cpu',
  resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1m' },
  mode: 0o444,
};
const fieldFile = { path: 'name', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } };

const sources = [
  { secret: { name: 'secrets', items, optional: true } },
  { downwardAPI: { items: [resourceFile, fieldFile] } },
  { configMap: { name: 'settings', items: [{ key: 'k', path: 'q', mode: 0 }], optional: false } },
  { serviceAccountToken: { audience: 'ca', expirationSeconds: 600, path: 'token' } },
  { clusterTrustBundle: { name: 'bundle', optional: true, path: 'roots.pem' } },
  {
    clusterTrustBundle: { signerName: 'example.com/signer', labelSelector: selector, path: 'more.pem' },
  },
  {
    podCertificate: {
      signerName: 'example.com/signer',
      keyType: 'ED25519',
      maxExpirationSeconds: 86400,
      credentialBundlePath: 'bundle.pem',
      userAnnotations: { 'example.com/note': 'x' },
    },
  },
  {
    podCertificate: {
      signerName: 'example.com/signer',
      keyType: 'RSA3072',
      keyPath: 'key.pem',
      certificateChainPath: 'chain.pem',
    },
  },
];

const BY_NAME = {
  hostpath: { hostPath: { path: '/var', type: 'Directory' } },
  empty: { emptyDir: { medium: 'Memory', sizeLimit: '1536Mi' } },
  gce: { gcePersistentDisk: { pdName: 'pd', fsType: 'ext4', partition: 1, readOnly: true } },
  aws: { awsElasticBlockStore: { volumeID: 'vol', fsType: 'ext4', partition: 1, readOnly: true } },
  git: { gitRepo: { repository: 'https://example.com/x', revision: 'main', directory: 'x' } },
  secret: { secret: { secretName: 'secrets', items, defaultMode: 0o400, optional: false } },
  nfs: { nfs: { server: 'nfs', path: '/x', readOnly: true } },
  iscsi: {
    iscsi: {
      targetPortal: '10.0.0.1:3260',
      iqn: 'iqn.2001-04.com.example:storage',
      lun: 0,
      iscsiInterface: 'default',
      fsType: 'ext4',
      readOnly: true,
      portals: ['10.0.0.2:3260'],
      chapAuthDiscovery: true,
      chapAuthSession: true,
      secretRef,
      initiatorName: 'iqn.2001-04.com.example:initiator',
    },
  },
  glusterfs: { glusterfs: { endpoints: 'e', path: 'p', readOnly: true } },
  claim: { persistentVolumeClaim: { claimName: 'claim', readOnly: true } },
  block: { persistentVolumeClaim: { claimName: 'block' } },
  rbd: {
    rbd: {
      monitors: ['m1', 'm2'],
      image: 'i',
      fsType: 'ext4',
      pool: 'rbd',
      user: 'admin',
      keyring: '/k',
      secretRef,
      readOnly: true,
    },
  },
  flex: {
    flexVolume: { driver: 'example.com/x', fsType: 'ext4', secretRef, readOnly: true, options: { a: 'b' } },
  },
  cinder: { cinder: { volumeID: 'vol', fsType: 'ext4', readOnly: true, secretRef } },
  cephfs: {
    cephfs: { monitors: ['m'], path: '/', user: 'u', secretFile: '/f', secretRef, readOnly: true },
  },
  flockername: { flocker: { datasetName: 'set' } },
  flockeruuid: { flocker: { datasetUUID: 'uuid' } },
  downward: { downwardAPI: { items: [resourceFile, fieldFile], defaultMode: 0o644 } },
  fcwwn: { fc: { targetWWNs: ['50060e801049cfd1'], lun: 0, fsType: 'ext4', readOnly: true } },
  fcwwid: { fc: { wwids: ['3600508b400105e210000900000490000'] } },
  azurefile: { azureFile: { secretName: 's', shareName: 'x', readOnly: true } },
  configmap: { configMap: { name: 'settings', items, defaultMode: 0o400, optional: true } },
  vsphere: {
    vsphereVolume: { volumePath: '[x] y', fsType: 'ext4', storagePolicyName: 'p', storagePolicyID: 'i' },
  },
  quobyte: {
    quobyte: { registry: 'r:1', volume: 'v', readOnly: true, user: 'u', group: 'g', tenant: 't' },
  },
  azuredisk: {
    azureDisk: {
      diskName: 'd',
      diskURI: '/subscriptions/x',
      cachingMode: 'None',
      fsType: 'ext4',
      readOnly: false,
      kind: 'Managed',
    },
  },
  photon: { photonPersistentDisk: { pdID: 'pd', fsType: 'ext4' } },
  projected: { projected: { sources, defaultMode: 0o444 } },
  portworx: { portworxVolume: { volumeID: 'vol', fsType: 'ext4', readOnly: true } },
  scaleio: {
    scaleIO: {
      gateway: 'g',
      system: 's',
      secretRef,
      sslEnabled: true,
      protectionDomain: 'd',
      storagePool: 'p',
      storageMode: 'ThickProvisioned',
      volumeName: 'v',
      fsType: 'xfs',
      readOnly: true,
    },
  },
  storageos: {
    storageos: { volumeName: 'v', volumeNamespace: 'n', fsType: 'ext4', readOnly: true, secretRef },
  },
  csi: {
    csi: {
      driver: 'csi.example.com',
      readOnly: false,
      fsType: 'ext4',
      volumeAttributes: { a: 'b' },
      nodePublishSecretRef: secretRef,
    },
  },
  ephemeral: {
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels, annotations: { a: 'b' } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          selector,
          resources: { limits: { storage: '2Gi' }, requests: { storage: '1Gi' } },
          volumeName: 'pv',
          storageClassName: 'fast',
          volumeMode: 'Filesystem',
          dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'snap' },
          volumeAttributesClassName: 'gold',
        },
      },
    },
  },
  across: {
    ephemeral: {
      volumeClaimTemplate: {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1' } },
          dataSourceRef: {
            apiGroup: 'snapshot.storage.k8s.io',
            kind: 'VolumeSnapshot',
            name: 'snap',
            namespace: 'shop',
          },
        },
      },
    },
  },
  image: { image: { reference: 'registry.example/data:1', pullPolicy: 'IfNotPresent' } },
};

export const VOLUMES: readonly object[] = Object.entries(BY_NAME).map(([name, source]) => ({
  name,
  ...source,
}));
