// The embedded mesh: an API server on loopback with ztunnels behind it, in this process.

import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { EVERYTHING, type Rule, type Users } from './access.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { createMisbehaviours, type Misbehaviour } from './misbehaviour.ts';
import type { Forward } from './portforward.ts';
import type { Scenario } from './scenario.ts';
import { createMeshServer, type MeshState, type RecordedRequest } from './server.ts';
import { serverCertificate } from './servercertificate.ts';

export interface MeshOptions {
  /** What the kubeconfig's user may do; everything by default. */
  readonly rules?: readonly Rule[];
  /** Further users by bearer token, for `kubeconfigFor`. */
  readonly users?: Users;
  /** The namespace of the kubeconfig's context, `default` by default. */
  readonly namespace?: string;
  /** Kubernetes 1.x, 35 by default; before 35 a port-forward asks for `get` instead of `create`. */
  readonly minor?: number;
}

export interface Mesh {
  /** `https://127.0.0.1:<port>` */
  readonly url: string;
  /** PEM text of the authority behind the server's certificate. */
  readonly certificateAuthority: string;
  /** YAML text for a user with all the rights of `rules`. */
  readonly kubeconfig: string;
  /** The same with another bearer token, known or not. */
  kubeconfigFor(token: string): string;
  /** Writes `kubeconfig` into a directory and gives the file's path. */
  writeKubeconfig(directory: string): string;
  /** Every request in the order of arrival, upgrades included. */
  readonly requests: readonly RecordedRequest[];
  readonly forwards: readonly Readonly<Forward>[];
  /** Log levels set through `/logging`, by `namespace/name` of the pod. */
  readonly levels: ReadonlyMap<string, string>;
  /** `target`: an API path such as `/api/v1/pods`, or `namespace/name` of a ztunnel's pod; undefined ends it. */
  misbehave(target: string, what: Misbehaviour | undefined): void;
  /** Ends every connection; safe to call twice. */
  close(): Promise<void>;
}

const TOKEN = 'mesh-token';
const USER = 'mesh-user';

/** Starts a mesh on 127.0.0.1, at a port that is free. */
export async function startMesh(scenario: Scenario, options: MeshOptions = {}): Promise<Mesh> {
  const certificate = await serverCertificate();
  const state: MeshState = {
    scenario,
    users: { ...options.users, [TOKEN]: { name: USER, rules: options.rules ?? EVERYTHING } },
    misbehaviours: createMisbehaviours(),
    minor: options.minor ?? 35,
    requests: [],
    forwards: [],
    levels: new Map(),
  };
  const { server, disconnect } = createMeshServer(state, certificate);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const namespace = options.namespace ?? 'default';
  const kubeconfigFor = (token: string) =>
    kubeconfigText({ server: url, certificateAuthority: certificate.ca, token, namespace });
  return {
    url,
    certificateAuthority: certificate.ca,
    kubeconfig: kubeconfigFor(TOKEN),
    kubeconfigFor,
    requests: state.requests,
    forwards: state.forwards,
    levels: state.levels,
    misbehave: state.misbehaviours.set,
    writeKubeconfig(directory) {
      const path = join(directory, 'kubeconfig');
      writeFileSync(path, kubeconfigFor(TOKEN), { mode: 0o600 });
      return path;
    },
    async close() {
      disconnect();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
