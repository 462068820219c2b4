// A real control plane with large ztunnels in a process of its own: `servecontrolplane.ts ZTUNNELS`, until the parent goes.

import { renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openApi } from '../../test/endtoend/api.ts';
import { findBinary } from '../../test/endtoend/binary.ts';
import { startControlPlane } from '../../test/endtoend/controlplane.ts';
import { grantRoles } from '../../test/endtoend/roles.ts';
import { seed } from '../../test/endtoend/seed.ts';
import { ADMIN_PORT, createAdmin } from '../../test/mesh/admin.ts';
import type { Scenario } from '../../test/mesh/scenario.ts';
import { largeMesh } from './largemesh.ts';

/** Serves each ztunnel's dump on a port of its own, and writes the table that the stub kubelet reads. */
async function serveZtunnels({ ztunnels }: Scenario, backends: string): Promise<void> {
  const table: Record<string, Readonly<Record<string, string>>> = {};
  for (const [pod, dump] of Object.entries(ztunnels)) {
    const server = process.env.WHOLE
      ? http.createServer((_q, r) => {
          const pieces = (dump as any)() as Buffer[];
          r.writeHead(200, {
            'content-type': 'application/json',
            'content-length': pieces.reduce((a, b) => a + b.length, 0),
          });
          for (const p of pieces) r.write(p);
          r.end();
        })
      : createAdmin({ dump, misbehaviour: undefined, levels: new Map(), pod });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    table[pod] = { [ADMIN_PORT]: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  writeFileSync(`${backends}.tmp`, JSON.stringify(table));
  renameSync(`${backends}.tmp`, backends);
}

const binary = await findBinary((line) => process.stderr.write(`${line}\n`));
if ('missing' in binary) throw new Error(binary.missing);
const plane = await startControlPlane(binary.path);
process.on('disconnect', () => void plane.stop().then(() => process.exit()));
const { announcement } = plane;
const mesh = await largeMesh(
  Number(process.argv[2] ?? '1'),
  new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
);
const api = openApi(announcement);
// Nothing but ztunnels is asked for.
const pods = mesh.pods.filter(({ metadata }) => metadata.labels?.app === 'ztunnel');
const objects = { ...mesh, pods, replicasets: [], statefulsets: [], jobs: [], leases: [] };
await seed(api, { objects, ztunnels: mesh.ztunnels }, announcement.kubeletPort);
await grantRoles(api);
api.close();
await serveZtunnels(mesh, announcement.backends);
process.send?.(announcement.kubeconfig);
