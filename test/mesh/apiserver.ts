// How the embedded API server answers a request for objects, and when it lets a port be forwarded.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_TYPE, negotiate } from './accept.ts';
import { isAllowed, type User, type Users, userOf } from './access.ts';
import { listObjects, metadataOnly, partialOf } from './lists.ts';
import type { Misbehaviour, Misbehaviours } from './misbehaviour.ts';
import { apiVersionOf, ISTIO_GROUP, type Manifest } from './resources.ts';
import { encodeAs, sendEncoded, sendPlain, sendStatus } from './respond.ts';
import { type Route, routeOf } from './routes.ts';
import type { Scenario } from './scenario.ts';
import {
  expired,
  failure,
  forbidden,
  notAcceptable,
  notFound,
  type StatusBody,
  unauthorized,
  unknownResource,
} from './status.ts';
import { sendWrong } from './wronganswer.ts';

/** What the server needs to know; `minor` is its Kubernetes release, 1.x. */
export interface ApiState {
  readonly scenario: Scenario;
  readonly users: Users;
  readonly misbehaviours: Misbehaviours;
  readonly minor: number;
}

/** A pod whose ports may be forwarded, and how that is to go wrong. */
export interface Forwardable {
  readonly pod: Manifest;
  readonly misbehaviour: Misbehaviour | undefined;
}

type Found = { readonly object: { readonly apiVersion: string; readonly kind: string } };
type Refused = { readonly refused: StatusBody };

/** Answers everything but an upgrade. */
export function answer(request: IncomingMessage, response: ServerResponse, state: ApiState): void {
  const url = new URL(request.url ?? '/', 'https://mesh');
  const user = userOf(request.headers.authorization, state.users);
  const what = state.misbehaviours.take(url.pathname, ({ how }) => how !== 'expire-continue');
  if (user === undefined) sendStatus(request, response, unauthorized());
  else if (what?.how === 'refuse') sendRefusal(request, response, what);
  else if (url.pathname === '/version') sendVersion(response, state.minor);
  else if (url.pathname === `/apis/${ISTIO_GROUP}`) sendResult(request, response, istioGroup(state), what);
  else sendResult(request, response, resolve(request, url, user, state), what);
}

function sendResult(
  request: IncomingMessage,
  response: ServerResponse,
  result: Found | Refused,
  what: Misbehaviour | undefined,
): void {
  if ('refused' in result) {
    sendStatus(request, response, result.refused);
    return;
  }
  const contentType = negotiate(request.headers.accept)?.contentType ?? JSON_TYPE;
  const right = { contentType, body: encodeAs(result.object, contentType) };
  if (what === undefined || !sendWrong(response, what, right)) sendEncoded(request, response, right);
}

/** A misbehaviour's Status, or its plain text. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  what: Extract<Misbehaviour, { how: 'refuse' }>,
): void {
  if (what.plain) sendPlain(response, what.status, what.message);
  else sendStatus(request, response, failure(what.status, what.message));
}

/** The pod that a port-forward goes to, or why there is none. */
export function resolveForward(request: IncomingMessage, url: URL, state: ApiState): Refused | Forwardable {
  const route = routeOf(url.pathname);
  const user = userOf(request.headers.authorization, state.users);
  if (user === undefined) return { refused: unauthorized() };
  if (route?.resource !== 'pods' || route.subresource !== 'portforward')
    return { refused: unknownResource() };
  // Kubernetes 1.35 asks for `create` even though a WebSocket begins with GET.
  const access = { ...route, verb: state.minor >= 35 ? 'create' : 'get' };
  if (!isAllowed(user, access)) return { refused: forbidden(user.name, access) };
  const pod = find(state.scenario, route);
  const misbehaviour = state.misbehaviours.take(`${route.namespace}/${route.name}`);
  if (pod === undefined || misbehaviour?.how === 'gone')
    return { refused: notFound('pods', route.type, route.name ?? '') };
  if (pod.status?.phase !== 'Running')
    return { refused: failure(500, `pod not found ("${route.name}_${route.namespace}")`) };
  return { pod, misbehaviour };
}

function resolve(request: IncomingMessage, url: URL, user: User, state: ApiState): Found | Refused {
  const encoding = negotiate(request.headers.accept);
  if (encoding === undefined) return { refused: notAcceptable() };
  const route = routeOf(url.pathname);
  if (route === undefined) return { refused: unknownResource() };
  if (!isAllowed(user, route)) return { refused: forbidden(user.name, route) };
  if (route.type.custom && !versionsOf(state).includes(route.type.version)) {
    return { refused: unknownResource() };
  }
  if (route.type.custom && encoding.contentType !== JSON_TYPE) return { refused: notAcceptable() };
  if (request.method !== 'GET') return { refused: failure(405, 'the server does not allow this method') };
  if (route.subresource !== undefined) return { refused: failure(400, 'Upgrade request required') };
  if (route.name !== undefined) return single(state.scenario, route, encoding.partial);
  const tooOld = url.searchParams.has('continue') && state.misbehaviours.take(url.pathname, isExpiry);
  if (tooOld) return { refused: expired(url.searchParams.get('continue') ?? '') };
  try {
    const all = state.scenario[route.resource];
    const list = listObjects(route.type, all, route.namespace, url.searchParams);
    return { object: encoding.partial ? metadataOnly(list) : list };
  } catch (error) {
    return { refused: failure(400, (error as Error).message) };
  }
}

function versionsOf({ scenario }: ApiState): readonly string[] {
  return scenario.istioVersions ?? ['v1', 'v1beta1', 'v1alpha3'];
}

/** What discovery says of Istio's custom resources. */
function istioGroup(state: ApiState): Found | Refused {
  const versions = versionsOf(state).map((version) => ({
    groupVersion: `${ISTIO_GROUP}/${version}`,
    version,
  }));
  if (versions.length === 0) return { refused: unknownResource() };
  const group = { name: ISTIO_GROUP, versions, preferredVersion: versions[0] };
  return { object: { apiVersion: 'v1', kind: 'APIGroup', ...group } };
}

function isExpiry({ how }: Misbehaviour): boolean {
  return how === 'expire-continue';
}

function single(scenario: Scenario, route: Route, partial: boolean): Found | Refused {
  const found = find(scenario, route);
  if (found === undefined) return { refused: notFound(route.resource, route.type, route.name ?? '') };
  const apiVersion = apiVersionOf(route.type);
  if (!partial) return { object: { ...found, apiVersion, kind: route.type.kind } };
  return { object: { ...partialOf(found) } };
}

function find(scenario: Scenario, route: Route): Manifest | undefined {
  return scenario[route.resource].find(
    ({ metadata }) =>
      metadata.name === route.name && (metadata.namespace ?? undefined) === (route.namespace ?? undefined),
  );
}

/** No Kubernetes object, and JSON whatever the client asks for. */
function sendVersion(response: ServerResponse, minor: number): void {
  response.setHeader('content-type', JSON_TYPE);
  response.end(JSON.stringify({ major: '1', minor: String(minor), gitVersion: `v1.${minor}.4` }));
}
