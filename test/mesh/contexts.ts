// How one kubeconfig names several embedded meshes, each by a context of its own.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import type { Mesh } from './mesh.ts';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
  readonly contexts: readonly { readonly context: object }[];
}

/** Writes it into a directory and gives the file's path. No context is the current one. */
export function writeContexts(
  directory: string,
  meshes: Readonly<Record<string, Pick<Mesh, 'kubeconfig'>>>,
): string {
  const entries = Object.entries(meshes).map(([name, { kubeconfig }]) => {
    const { clusters, users, contexts } = load(kubeconfig) as Kubeconfig;
    return {
      cluster: { ...clusters[0], name },
      user: { ...users[0], name },
      context: { name, context: { ...contexts[0]?.context, cluster: name, user: name } },
    };
  });
  const path = join(directory, 'contexts');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ cluster }) => cluster),
    users: entries.map(({ user }) => user),
    contexts: entries.map(({ context }) => context),
  };
  writeFileSync(path, dump(config), { mode: 0o600 });
  return path;
}
