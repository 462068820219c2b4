// What a kubeconfig file says, and how several of them become one.

import path from 'node:path';
import type { Named } from '@kubernetes/client-node/dist/config.js';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { load } from 'js-yaml';
import { messageOf, UserError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import {
  arrayOf,
  clusterEntry,
  contextEntry,
  mapOf,
  textOf,
  userEntry,
  type Yaml,
} from './kubeconfigentry.ts';

/**
 * Reads one kubeconfig file's text (YAML or JSON); `file` is its absolute path, which relative paths in it
 * start from. Of entries with the same name the first counts. Throws UserError naming the file.
 */
export function parseKubeconfig(text: string, file: string): KubeConfig {
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
  if (document !== null && !isObject(document)) {
    throw new UserError(
      `the file ${file} is not a kubeconfig: it holds no mapping`,
      'Name a kubeconfig with --kubeconfig or KUBECONFIG.',
    );
  }
  const root = mapOf(document);
  const directory = path.dirname(file);
  return kubeConfigOf({
    clusters: namedEntries(root.clusters, 'cluster', (name, entry) => clusterEntry(name, entry, directory)),
    users: namedEntries(root.users, 'user', (name, entry) => userEntry(name, entry, directory)),
    contexts: namedEntries(root.contexts, 'context', contextEntry),
    currentContext: textOf(root['current-context']),
  });
}

/** What is given, as client-node holds it; nothing by default. */
export function kubeConfigOf(content: Partial<Pick<KubeConfig, Content>>): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({ clusters: [], users: [], contexts: [], ...content });
  return config;
}
type Content = 'clusters' | 'users' | 'contexts' | 'currentContext';

/**
 * Several files as one, as kubectl does it: the first to name a thing wins, whole entries at a time. client-node's own
 * mergeConfig throws where two files name the same, and takes the last file's current context.
 */
export function joinKubeconfigs(configs: readonly KubeConfig[]): KubeConfig {
  return kubeConfigOf({
    clusters: firstOfEach(configs.flatMap((config) => config.getClusters())),
    users: firstOfEach(configs.flatMap((config) => config.getUsers())),
    contexts: firstOfEach(configs.flatMap((config) => config.getContexts())),
    currentContext: configs.map((config) => config.getCurrentContext()).find((name) => name !== undefined),
  });
}

function firstOfEach<T extends Named>(entries: readonly T[]): T[] {
  return [...new Map(entries.toReversed().map((entry) => [entry.name, entry])).values()].reverse();
}

function namedEntries<T extends Named>(
  list: unknown,
  key: string,
  read: (name: string, entry: Yaml) => T,
): T[] {
  const named = arrayOf(list).flatMap((item) => {
    const name = textOf(mapOf(item).name);
    return name === undefined ? [] : [read(name, mapOf(mapOf(item)[key]))];
  });
  return firstOfEach(named);
}
