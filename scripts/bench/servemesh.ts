// The mesh of the benchmark in a process of its own: `servemesh.ts ZTUNNELS DIRECTORY [hangs|classes]`, until the parent goes.

import { startMesh } from '../../test/mesh/mesh.ts';
import { largeMesh } from './largemesh.ts';
import { trustMesh } from './trustmesh.ts';

/** What the mesh has seen since it was last asked. */
export interface Seen {
  readonly lists: Readonly<Record<string, number>>;
  readonly forwards: number;
}

const [, , ztunnels = '1', directory = '.', kind] = process.argv;
const scenario = await (kind === 'classes' ? trustMesh : largeMesh)(
  Number(ztunnels),
  new Date().toISOString(),
);
const mesh = await startMesh(scenario);
if (kind === 'hangs') {
  for (const ztunnel of Object.keys(scenario.ztunnels)) {
    mesh.misbehave(ztunnel, { how: 'hang', at: 'first-byte' });
  }
}
let requests = 0;
let forwards = 0;

function takeSeen(): Seen {
  const lists: Record<string, number> = {};
  for (const { path, query } of mesh.requests.slice(requests)) {
    // Pages of a list carry a token; a port-forward is no list.
    if (query.continue === undefined && !path.endsWith('/portforward')) {
      const asked = query.labelSelector === undefined ? path : `${path}?${query.labelSelector}`;
      lists[asked] = (lists[asked] ?? 0) + 1;
    }
  }
  const opened = mesh.forwards.slice(forwards);
  requests = mesh.requests.length;
  forwards = mesh.forwards.length;
  return { lists, forwards: opened.length };
}

process.on('message', () => process.send?.(takeSeen()));
process.on('disconnect', () => process.exit());
process.send?.(mesh.writeKubeconfig(directory));
