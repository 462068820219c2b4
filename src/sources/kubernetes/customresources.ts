// How custom resources are listed: in the version that the API server prefers, found by discovery.

import { AbsentError, UserError } from '../../base/errors.ts';
import type { Kind } from '../../model/kinds.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { ListQuery } from '../cluster.ts';
import { absentKind, type Fetch, listObjects } from './list.ts';
import { apiError } from './status.ts';

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
