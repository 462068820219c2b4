// How a test writes to the control plane's API: as its admin, one JSON or YAML object at a time.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Announcement } from './controlplane.ts';

export interface Created {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
  readonly [field: string]: unknown;
}

/** Each throws on an answer that is no success. */
export interface Api {
  get(path: string): Promise<Created>;
  /** The bytes of an answer in the media type that is asked for, an error's too. */
  fetch(path: string, accept: string): Promise<Buffer>;
  /** An object as a value, or as YAML text. */
  create(path: string, object: object | string): Promise<Created>;
  /** The same, where it may be there already. */
  ensure(path: string, object: object): Promise<void>;
  /** A merge patch. */
  patch(path: string, patch: object): Promise<Created>;
  /** At once, without a grace period. */
  remove(path: string): Promise<void>;
  /** Waits until the user may: RBAC's caches lag behind what was written. */
  untilAllowed(user: string, groups: readonly string[], attributes: object): Promise<void>;
  close(): void;
}

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const LONGEST_LAG_MS = 15_000;

export function openApi({ server, caFile, adminToken }: Announcement): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: readFileSync(caFile) });
  const send = (method: string, path: string, body?: string, type = 'application/json') =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': type };
      const sent = request(`${server}${path}`, { method, agent, headers }, async (response) => {
        const chunks = await response.toArray().catch(reject);
        const text = Buffer.concat((chunks ?? []) as Buffer[]).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const must = async (method: string, path: string, body?: string, type?: string): Promise<Created> => {
    const { status, text } = await send(method, path, body, type);
    if (status >= 200 && status < 300) return JSON.parse(text) as Created;
    throw new Error(`${method} ${path}: ${status} ${text}`);
  };
  return {
    get: (path) => must('GET', path),
    fetch: (path, accept) =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${adminToken}`, Accept: accept };
        const sent = request(`${server}${path}`, { agent, headers }, async (response) => {
          resolve(Buffer.concat((await response.toArray().catch(reject)) as Buffer[]));
        });
        sent.on('error', reject);
        sent.end();
      }),
    create: (path, object) =>
      typeof object === 'string'
        ? must('POST', path, object, 'application/yaml')
        : must('POST', path, JSON.stringify(object)),
    ensure: async (path, object) => {
      const { status, text } = await send('POST', path, JSON.stringify(object));
      if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${text}`);
    },
    patch: (path, patch) => must('PATCH', path, JSON.stringify(patch), 'application/merge-patch+json'),
    remove: async (path) => {
      await must('DELETE', `${path}?gracePeriodSeconds=0`);
    },
    untilAllowed: async (user, groups, attributes) => {
      const spec = { user, groups, resourceAttributes: attributes };
      for (let waited = 0; waited < LONGEST_LAG_MS; waited += 50) {
        const { status } = await must('POST', REVIEWS, JSON.stringify({ spec }));
        if ((status as { allowed: boolean }).allowed) return;
        await sleep(50);
      }
      throw new Error(`${user} is still not allowed: ${JSON.stringify(attributes)}`);
    },
    close: () => agent.destroy(),
  };
}
