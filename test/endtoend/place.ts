// Where a test keeps its kubeconfigs: a directory of its own, removed with the test.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Announcement } from './controlplane.ts';

export interface Place {
  readonly plane: Announcement;
  readonly directory: string;
  /** Writes a file and gives its path; JSON of what is no text. */
  write(name: string, content: string | object, mode?: number): string;
  remove(): void;
}

export function openPlace(plane: Announcement): Place {
  const directory = mkdtempSync(path.join(tmpdir(), 'ztunnel-endtoend-'));
  return {
    plane,
    directory,
    write: (name, content, mode = 0o600) => {
      const file = path.join(directory, name);
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
      return file;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The cluster part of a kubeconfig. */
export function clusterOf(plane: Announcement, more: object = {}): object {
  return { server: plane.server, 'certificate-authority-data': base64(plane.caFile), ...more };
}

export function tokenOf(plane: Announcement, user: string): object {
  return { token: plane.tokens[user] };
}

/** A kubeconfig of one context, all called `it`. */
export function kubeconfigOf(cluster: object, user: object, context: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it', ...context } }],
    clusters: [{ name: 'it', cluster }],
    users: [{ name: 'it', user }],
  };
}

/** The kubeconfig of one of the control plane's users. */
export function loginAs(plane: Announcement, user: string, context: object = {}): object {
  return kubeconfigOf(clusterOf(plane), tokenOf(plane, user), context);
}

export function base64(file: string): string {
  return readFileSync(file).toString('base64');
}
