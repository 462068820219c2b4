// How the API server words its refusals: Status objects with Kubernetes' own reasons and message shapes.

import type { Manifest, Resource, ResourceType } from './resources.ts';

/** A Status, to be sent in whatever encoding the client takes. */
export interface StatusBody {
  readonly apiVersion: 'v1';
  readonly kind: 'Status';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Failure';
  readonly message: string;
  readonly reason: string;
  readonly details?: Manifest['spec'];
  readonly code: number;
}

/** Kubernetes' reason for each code. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Any failure. */
export function failure(
  code: number,
  message: string,
  details?: StatusBody['details'],
  metadata: StatusBody['metadata'] = {},
): StatusBody {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata,
    status: 'Failure',
    message,
    reason: REASONS[code] ?? 'Unknown',
    ...(details ? { details } : {}),
    code,
  };
}

export const unauthorized = (): StatusBody => failure(401, 'Unauthorized');

/** What was asked: the verb, the resource with its subresource, and where. */
export interface Access {
  readonly verb: string;
  readonly resource: Resource;
  readonly type: ResourceType;
  readonly subresource?: string | undefined;
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
}

export function forbidden(user: string, access: Access): StatusBody {
  const { resource, type, name } = access;
  const what = access.subresource ? `${resource}/${access.subresource}` : resource;
  const subject = name ? `${resource} "${name}"` : resource;
  const where = access.namespace ? `in the namespace "${access.namespace}"` : 'at the cluster scope';
  const message = `${subject} is forbidden: User "${user}" cannot ${access.verb} resource "${what}" in API group "${type.group}" ${where}`;
  return failure(403, message, details(resource, type, name));
}

export function notFound(resource: Resource, type: ResourceType, name: string): StatusBody {
  return failure(404, `${resource} "${name}" not found`, details(resource, type, name));
}

/** A path or resource type that the server doesn't have, such as a custom resource without its definition. */
export const unknownResource = (): StatusBody =>
  failure(404, 'the server could not find the requested resource', {});

/** A continue token that is too old; `fresh` goes on where it stood, on newer data. */
export const expired = (fresh: string): StatusBody =>
  failure(410, 'The provided continue parameter is too old to display a consistent list result.', undefined, {
    continue: fresh,
  });

export const notAcceptable = (): StatusBody =>
  failure(
    406,
    'only the following media types are accepted: application/json, application/vnd.kubernetes.protobuf',
  );

function details(resource: Resource, type: ResourceType, name: string | undefined) {
  return { ...(name ? { name } : {}), ...(type.group ? { group: type.group } : {}), kind: resource };
}
