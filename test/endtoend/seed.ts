// How a made-up mesh becomes objects of a real API server.

import pMap from 'p-map';
import type { Manifest, Resource } from '../mesh/resources.ts';
import type { Api, Created } from './api.ts';
import { collectionOf, collectionOfOwner, ownersOf, toCreate } from './manifests.ts';
import { CROWD, type SeededMesh } from './mesh.ts';

/** Owners before what they own. */
const ORDER: readonly Resource[] = ['nodes', 'replicasets', 'jobs', 'statefulsets', 'leases', 'pods'];
const AT_ONCE = 8;

/**
 * Creates everything, pods bound to nodes whose kubelet listens at `kubeletPort`. Gives the uids that the server gave
 * by those that the mesh was made with.
 */
export async function seed(
  api: Api,
  mesh: SeededMesh,
  kubeletPort: number,
): Promise<ReadonlyMap<string, string>> {
  const all = ORDER.flatMap((resource) => mesh.objects[resource]);
  const namespaces = new Set(all.flatMap(({ metadata }) => metadata.namespace ?? []));
  await pMap([...namespaces, 'crowd'], (name) => api.ensure('/api/v1/namespaces', { metadata: { name } }));
  const uids = new Map<string, string>();
  for (const resource of ORDER) {
    const objects = mesh.objects[resource];
    await createOwners(api, objects, uids);
    await pMap(objects, (object) => createOne(api, resource, object, uids, kubeletPort), {
      concurrency: AT_ONCE,
    });
  }
  await createAccounts(api, mesh.objects.pods);
  await createCrowd(api);
  return uids;
}

/** Deployments and their like, which the mesh names as owners and nowhere else. */
async function createOwners(
  api: Api,
  objects: readonly Manifest[],
  uids: Map<string, string>,
): Promise<void> {
  for (const object of objects) {
    for (const owner of ownersOf(object)) {
      const { namespace } = object.metadata;
      const where = collectionOfOwner(owner, namespace);
      if (where === undefined || uids.has(owner.uid)) continue;
      const { apiVersion, kind, name } = owner;
      const created = await api.create(
        where,
        toCreate({ apiVersion, kind, metadata: { name, namespace } }, uids),
      );
      uids.set(owner.uid, created.metadata.uid);
    }
  }
}

async function createOne(
  api: Api,
  resource: Resource,
  object: Manifest,
  uids: Map<string, string>,
  kubeletPort: number,
): Promise<void> {
  const where = collectionOf(resource, object.metadata.namespace);
  const created: Created = await api.create(where, toCreate(object, uids));
  if (object.metadata.uid !== undefined) uids.set(object.metadata.uid, created.metadata.uid);
  const status = resource === 'nodes' ? withKubelet(object, kubeletPort) : object.status;
  if (status !== undefined) await api.patch(`${where}/${object.metadata.name}/status`, { status });
}

/** A node whose name says so has a port at which nothing listens. */
function withKubelet(node: Manifest, kubeletPort: number): object {
  const port = node.metadata.name.endsWith('without-kubelet') ? 1 : kubeletPort;
  return {
    ...node.status,
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
}

async function createAccounts(api: Api, pods: readonly Manifest[]): Promise<void> {
  const accounts = new Set(
    pods.map(({ metadata, spec }) => `${metadata.namespace}/${spec?.serviceAccountName}`),
  );
  await pMap([...accounts], (account) => {
    const [namespace, name] = account.split('/');
    return api.ensure(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  });
}

/** Pods that run nowhere, so that a list of pods takes more than one page. */
async function createCrowd(api: Api): Promise<void> {
  const spec = { containers: [{ name: 'main', image: 'registry.example/app:1' }] };
  await pMap(
    Array.from({ length: CROWD }, (_, index) => `crowd-${String(index).padStart(4, '0')}`),
    (name) => api.create('/api/v1/namespaces/crowd/pods', { metadata: { name }, spec }),
    { concurrency: AT_ONCE },
  );
}
