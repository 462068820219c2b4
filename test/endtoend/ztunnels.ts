// The ztunnels behind the stub kubelet: one HTTP server on loopback each, and the table that leads to them.

import { renameSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdmin } from '../mesh/admin.ts';
import type { Scenario } from '../mesh/scenario.ts';

const ADMIN_PORT = '15000';
/** Words of the stub kubelet for ports that don't answer. */
const FAULTY = {
  'faulty/hangs': { [ADMIN_PORT]: 'hang' },
  'faulty/no-kubelet': { [ADMIN_PORT]: 'hang' },
  'faulty/no-node': { [ADMIN_PORT]: 'hang' },
  'faulty/refuses': { [ADMIN_PORT]: 'refuse' },
};

/** Serves each dump, a text with the uids that the API server gave; writes `backends`. Gives what ends them. */
export async function serveZtunnels(
  mesh: Pick<Scenario, 'ztunnels'>,
  uids: ReadonlyMap<string, string>,
  backends: string,
): Promise<() => void> {
  const servers: Server[] = [];
  const table: Record<string, Readonly<Record<string, string>>> = { ...FAULTY };
  for (const [pod, source] of Object.entries(mesh.ztunnels)) {
    const dump = typeof source === 'function' ? source : withUids(String(source), uids);
    const server = createAdmin({ dump, misbehaviour: undefined, levels: new Map(), pod });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    table[pod] = { [ADMIN_PORT]: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
  // The kubelet must never read half a table.
  writeFileSync(`${backends}.tmp`, JSON.stringify(table));
  renameSync(`${backends}.tmp`, backends);
  return () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  };
}

function withUids(dump: string, uids: ReadonlyMap<string, string>): string {
  return dump.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (uid) => uids.get(uid) ?? uid);
}
