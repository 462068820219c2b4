// Which API request a path means.

import { RESOURCES, type Resource, type ResourceType } from './resources.ts';
import type { Access } from './status.ts';

/** A request for a resource; without `name` it is a list. */
export type Route = Access;

const CORE = /^\/api\/(?<version>[^/]+)(?<rest>\/.*)$/;
const GROUP = /^\/apis\/(?<group>[^/]+)\/(?<version>[^/]+)(?<rest>\/.*)$/;
const REST =
  /^(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[a-z]+)(?:\/(?<name>[^/]+))?(?:\/(?<sub>[a-z]+))?$/;

/** The resource that a path names; undefined where the server has none there. */
export function routeOf(path: string): Route | undefined {
  const prefix = (CORE.exec(path) ?? GROUP.exec(path))?.groups;
  const rest = REST.exec(prefix?.rest ?? '')?.groups;
  if (prefix === undefined || rest === undefined || !isResource(rest.resource)) return undefined;
  const known: ResourceType = RESOURCES[rest.resource];
  const type = known.custom ? { ...known, version: prefix.version ?? '' } : known;
  if (type.group !== (prefix.group ?? '') || type.version !== prefix.version) return undefined;
  return {
    verb: rest.name === undefined ? 'list' : 'get',
    resource: rest.resource,
    type,
    subresource: rest.sub,
    namespace: rest.namespace && decodeURIComponent(rest.namespace),
    name: rest.name && decodeURIComponent(rest.name),
  };
}

function isResource(name: string | undefined): name is Resource {
  return name !== undefined && Object.hasOwn(RESOURCES, name);
}
