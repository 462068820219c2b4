// What the API server demands of an object beyond what the embedded mesh gives it.

import { type Data, type Manifest, RESOURCES, type Resource } from '../mesh/resources.ts';

/** As a controller's reference names it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

const CONTAINERS = [{ name: 'main', image: 'registry.example/app:1' }];

const replicated = ({ metadata }: Manifest): Data => {
  const labels = { app: metadata.name };
  return {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: CONTAINERS } },
  };
};
const job = (): Data => ({ template: { spec: { restartPolicy: 'Never', containers: CONTAINERS } } });

/** The spec that a kind needs at least; a kind's own values win. */
const SPECS: Readonly<Record<string, (object: Manifest) => Data>> = {
  Deployment: replicated,
  ReplicaSet: replicated,
  DaemonSet: replicated,
  StatefulSet: replicated,
  Job: job,
  CronJob: () => ({ schedule: '@daily', jobTemplate: { spec: job() } }),
};

/** The plurals of kinds that own others, and that the program itself never lists. */
const OWNERS: Readonly<Record<string, string>> = {
  Deployment: 'deployments',
  DaemonSet: 'daemonsets',
  CronJob: 'cronjobs',
};

/** As it is sent: without what the server decides itself, with owners by the uids that it gave them. */
export function toCreate(object: Manifest, uids: ReadonlyMap<string, string>): Manifest {
  const { uid: _uid, creationTimestamp: _created, ...metadata } = object.metadata;
  const owners = ownersOf(object).map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
  return {
    ...object,
    metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) },
    spec: { ...SPECS[object.kind]?.(object), ...object.spec },
  };
}

export function ownersOf({ metadata }: Manifest): readonly OwnerReference[] {
  return (metadata.ownerReferences ?? []) as readonly OwnerReference[];
}

/** Where objects of the listed kinds are created. */
export function collectionOf(resource: Resource, namespace: string | undefined): string {
  const { group, version } = RESOURCES[resource];
  return collection(group === '' ? `/api/${version}` : `/apis/${group}/${version}`, resource, namespace);
}

/** Where an owner is created; undefined if there is no such kind. */
export function collectionOfOwner(owner: OwnerReference, namespace: string | undefined): string | undefined {
  const plural = OWNERS[owner.kind];
  return plural && collection(`/apis/${owner.apiVersion}`, plural, namespace);
}

function collection(root: string, plural: string, namespace: string | undefined): string {
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}
