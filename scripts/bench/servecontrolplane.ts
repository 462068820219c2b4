// A real control plane with large ztunnels in a process of its own: `servecontrolplane.ts ZTUNNELS`, until the parent goes.

import { openApi } from '../../test/endtoend/api.ts';
import { findBinary } from '../../test/endtoend/binary.ts';
import { startControlPlane } from '../../test/endtoend/controlplane.ts';
import { grantRoles } from '../../test/endtoend/roles.ts';
import { seed } from '../../test/endtoend/seed.ts';
import { serveZtunnels } from '../../test/endtoend/ztunnels.ts';
import { largeMesh } from './largemesh.ts';

const [, , ztunnels = '1'] = process.argv;
const binary = await findBinary((line) => process.stderr.write(`${line}\n`));
if ('missing' in binary) throw new Error(binary.missing);
const plane = await startControlPlane(binary.path);
process.on('disconnect', () => void plane.stop().then(() => process.exit()));
const { announcement } = plane;
const mesh = await largeMesh(Number(ztunnels), new Date().toISOString().replace(/\.\d+Z$/, 'Z'));
// Only what leads to the dumps: thousands of pods would take minutes to create.
const pods = mesh.pods.filter(({ metadata }) => metadata.labels?.app === 'ztunnel');
const objects = { ...mesh, pods, replicasets: [], statefulsets: [], jobs: [], leases: [] };
const api = openApi(announcement);
const uids = await seed(api, { objects, ztunnels: mesh.ztunnels }, announcement.kubeletPort);
await grantRoles(api);
api.close();
await serveZtunnels(mesh, uids, announcement.backends);
process.send?.(announcement.kubeconfig);
