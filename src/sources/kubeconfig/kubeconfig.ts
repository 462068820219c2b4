// What a kubeconfig file says, and how several of them become one.

import path from 'node:path';
import { load } from 'js-yaml';
import { messageOf, UserError } from '../../base/errors.ts';
import {
  arrayOf,
  type ClusterEntry,
  type ContextEntry,
  clusterEntry,
  contextEntry,
  isMap,
  mapOf,
  textOf,
  type UserEntry,
  userEntry,
  type Yaml,
} from './kubeconfigentry.ts';

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string | undefined;
}

export const EMPTY_KUBECONFIG: Kubeconfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: undefined,
};

/**
 * Reads one kubeconfig file's text (YAML or JSON); `file` is its absolute path, which relative paths in it
 * start from. Of entries with the same name the first counts. Throws UserError naming the file.
 */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  let document: unknown;
  try {
    document = text.trim() === '' ? {} : load(text);
  } catch (thrown) {
    throw new UserError(
      `the kubeconfig ${file} is not valid YAML: ${messageOf(thrown).split('\n')[0]}`,
      'Correct the file, or name another one with --kubeconfig.',
      { cause: thrown },
    );
  }
  if (document !== null && !isMap(document)) {
    throw new UserError(
      `the file ${file} is not a kubeconfig: it holds no mapping`,
      'Name a kubeconfig with --kubeconfig or KUBECONFIG.',
    );
  }
  const root = mapOf(document);
  const directory = path.dirname(file);
  return {
    clusters: namedEntries(root.clusters, 'cluster', (entry) => clusterEntry(entry, directory)),
    users: namedEntries(root.users, 'user', (entry) => userEntry(entry, directory)),
    contexts: namedEntries(root.contexts, 'context', contextEntry),
    currentContext: textOf(root['current-context']),
  };
}

/** Several files as one, as kubectl does it: the first to name a thing wins, whole entries at a time. */
export function joinKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    clusters: firstOfEach(configs.map((config) => config.clusters)),
    users: firstOfEach(configs.map((config) => config.users)),
    contexts: firstOfEach(configs.map((config) => config.contexts)),
    currentContext: configs.map((config) => config.currentContext).find((name) => name !== undefined),
  };
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}

function namedEntries<T>(list: unknown, key: string, read: (entry: Yaml) => T): ReadonlyMap<string, T> {
  const named = arrayOf(list).flatMap((item) => {
    const name = textOf(mapOf(item).name);
    return name === undefined ? [] : [[name, read(mapOf(mapOf(item)[key]))] as const];
  });
  return new Map(named.toReversed());
}
