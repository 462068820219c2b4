// How all objects of a kind are listed: page by page, custom resources in the version that discovery finds.

import { setTimeout as sleep } from 'node:timers/promises';
import { AbsentError, messageOf, UserError } from '../../base/errors.ts';
import { decodeKube, type KubeDocument } from '../../decode/kube/object.ts';
import { apiVersionOf, type Kind } from '../../model/kinds.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { ListQuery } from '../cluster.ts';
import { apiError, notKubernetes } from './errors.ts';
import { retryAfterOf } from './gate.ts';
import type { ApiAnswer } from './request.ts';
import { acceptOf, listPath } from './resources.ts';

const PAGE_SIZE = 500;
/** How often a list is begun anew because its `continue` token expired; the last time without pages. */
const MAX_STARTS = 3;
/** A million objects; a server that never ends its list is stopped here. */
const MAX_PAGES = 2000;
const MAX_RETRIES = 4;

/** GETs a path of the API server with this Accept header. */
export type Fetch = (path: string, accept: string, signal: AbortSignal | undefined) => Promise<ApiAnswer>;

/** All objects of a resource. Throws ForbiddenError on a 403, AbsentError where a custom one is not there, UserError else. */
export async function listObjects(
  fetch: Fetch,
  server: string,
  resource: Kind,
  query: ListQuery,
): Promise<readonly KubeObject[]> {
  for (let start = 1; ; start++) {
    const items = await listPages(fetch, server, resource, query, start < MAX_STARTS ? PAGE_SIZE : undefined);
    if (items !== 'expired') return items.map((item) => withKind(item, resource));
    if (start === MAX_STARTS) {
      throw new UserError(
        `the API server ${server} let the list of ${resource.plural} expire ${MAX_STARTS} times while it was read`,
        'Try again when the cluster is less busy.',
      );
    }
  }
}

async function listPages(
  fetch: Fetch,
  server: string,
  resource: Kind,
  query: ListQuery,
  limit: number | undefined,
): Promise<readonly KubeObject[] | 'expired'> {
  const items: KubeObject[] = [];
  let token = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = pagePath(resource, query, limit, token);
    const answer = await fetchPatiently(fetch, path, acceptOf(resource), query.signal);
    if (answer.status === 410) return 'expired';
    const list = decodeList(answer, server, resource, query);
    for (const item of list.items) items.push(item as KubeObject);
    if (!list.continueToken) return items;
    token = list.continueToken;
  }
  throw new UserError(
    `the API server ${server} sent over ${MAX_PAGES} pages of ${resource.plural} without end`,
    'Check that `server` of the kubeconfig context is a Kubernetes API server.',
  );
}

function pagePath(
  resource: Kind,
  { namespace, labelSelector }: ListQuery,
  limit: number | undefined,
  token: string,
): string {
  const parameters = new URLSearchParams({
    ...(limit !== undefined && { limit: String(limit) }),
    ...(labelSelector && { labelSelector }),
    ...(token !== '' && { continue: token }),
  });
  const search = parameters.size === 0 ? '' : `?${parameters}`;
  return `${listPath(resource, namespace)}${search}`;
}

/** Waits and asks again when the server says so by Retry-After (429, or 503 while it starts). */
async function fetchPatiently(
  fetch: Fetch,
  path: string,
  accept: string,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  for (let retry = 0; ; retry++) {
    const answer = await fetch(path, accept, signal);
    const waitMs = retryAfterOf(answer.status, answer.headers['retry-after']);
    if (waitMs === undefined || retry === MAX_RETRIES) return answer;
    await sleep(waitMs, undefined, { signal });
  }
}

function decodeList(
  answer: ApiAnswer,
  server: string,
  resource: Kind,
  { namespace }: ListQuery,
): Extract<KubeDocument, { type: 'list' }> {
  const { status, body } = answer;
  const contentType = answer.headers['content-type'];
  if (status === 404 && resource.custom) throw absentKind(server, resource);
  if (status !== 200) {
    const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
    throw apiError({ status, contentType, body }, { server, verbs: ['list'], resource: name, namespace });
  }
  if (contentType?.startsWith('text/html')) throw notKubernetes(server, status);
  let document: KubeDocument;
  try {
    document = decodeKube(body, contentType);
  } catch (thrown) {
    throw unreadable(server, resource, thrown);
  }
  if (document.type !== 'list') throw notKubernetes(server, status);
  return document;
}

/** What is said of a custom resource whose definition is not installed. */
export function absentKind(server: string, { plural, group }: Kind): AbsentError {
  return new AbsentError(
    `the API server ${server} has no ${plural}.${group}`,
    'Its CustomResourceDefinition comes with Istio.',
  );
}

function unreadable(server: string, resource: Kind, thrown: unknown): UserError {
  return new UserError(
    `the API server ${server} sent a list of ${resource.plural} that can't be read: ${messageOf(thrown).replace(/\.$/, '')}`,
    'Check that `server` of the kubeconfig context is a Kubernetes API server, and that no proxy changes its answers.',
    { cause: thrown },
  );
}

/** Items carry no kind of their own, or that of their metadata-only form: the resource says what they are. */
function withKind(item: KubeObject, resource: Kind): KubeObject {
  return { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

/** Those whose fields are known; all have the same. */
const KNOWN_VERSIONS: ReadonlySet<unknown> = new Set(['v1', 'v1beta1', 'v1alpha3']);

export type ListCustom = (resource: Kind, query: ListQuery) => Promise<readonly KubeObject[]>;

/** A function that lists a custom resource as listObjects does. Each API group is looked up once. */
export function customLister(fetch: Fetch, server: string): ListCustom {
  const groups = new Map<string, Promise<readonly string[]>>();
  return async (resource, query) => {
    const found = groups.get(resource.group) ?? findVersions(fetch, server, resource, query.signal);
    groups.set(resource.group, found);
    let absent = absentKind(server, resource);
    for (const version of await found) {
      try {
        return await listObjects(fetch, server, { ...resource, version }, query);
      } catch (thrown) {
        // A group's version need not hold every kind of the group.
        if (!(thrown instanceof AbsentError)) throw thrown;
        absent = thrown;
      }
    }
    throw absent;
  };
}

/** The known versions that the server has of a group, the preferred one first; none where it lacks the group. */
async function findVersions(
  fetch: Fetch,
  server: string,
  { group }: Kind,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { status, headers, body } = await fetch(`/apis/${group}`, 'application/json', signal);
  if (status === 404) return [];
  if (status !== 200) {
    const refusal = { status, contentType: headers['content-type'], body };
    throw apiError(refusal, { server, verbs: ['get'], resource: group, namespace: undefined });
  }
  const versions = versionsOf(body);
  if (versions !== undefined) return versions;
  throw new UserError(
    `the API server ${server} did not say which versions it has of ${group}`,
    'Check that `server` of the kubeconfig context is a Kubernetes API server.',
  );
}

interface ApiGroup {
  readonly preferredVersion?: { readonly version?: unknown } | null;
  readonly versions?: unknown;
}

/** Of an APIGroup object; undefined for anything else. */
function versionsOf(body: Uint8Array): readonly string[] | undefined {
  let group: ApiGroup | null;
  try {
    group = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(group?.versions)) return undefined;
  const all = [group.preferredVersion, ...(group.versions as readonly ApiGroup['preferredVersion'][])];
  const known = all.map((each) => each?.version).filter((version) => KNOWN_VERSIONS.has(version));
  return [...new Set(known as readonly string[])];
}
