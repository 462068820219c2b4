// What a Kubernetes document can be: one object, a list of them, or the API server's word on a request.

import { UserError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../model/kubernetes.ts';

export interface KubeStatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What the API server says of a request that failed, or of one that leaves no object to show. Absent text is ''. */
export interface KubeStatus {
  /** `Success` or `Failure`. */
  readonly status: string;
  readonly message: string;
  /** `NotFound`, `Forbidden`, `Expired`, … */
  readonly reason: string;
  /** The HTTP status code; 0 if not given. */
  readonly code: number;
  readonly details:
    | {
        readonly name?: string;
        readonly group?: string;
        /** The resource as the URL spells it (`pods`), whatever the field is called. */
        readonly kind?: string;
        readonly uid?: string;
        readonly causes?: readonly KubeStatusCause[];
        readonly retryAfterSeconds?: number;
      }
    | undefined;
}

export interface KubeList {
  readonly type: 'list';
  /** The list's own: `v1`, `PodList`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly KubeObject[];
  /** '' on the last page. */
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
  readonly resourceVersion: string;
}

export type KubeDocument =
  | KubeList
  | { readonly type: 'object'; readonly object: KubeObject }
  | { readonly type: 'status'; readonly status: KubeStatus };

/** Called for a kind that the scheme does not have, with the kind of the items if it is a list; may throw. */
export type OnUnknown = (apiVersion: string, kind: string) => void;

/** `meta` as ListMeta's JSON. */
export function makeList(
  apiVersion: string,
  kind: string,
  meta: JsonObject,
  items: readonly KubeObject[],
): KubeList {
  const { remainingItemCount } = meta;
  return {
    type: 'list',
    apiVersion,
    kind,
    items,
    continueToken: typeof meta.continue === 'string' ? meta.continue : '',
    remainingItemCount: remainingItemCount === undefined ? undefined : Number(remainingItemCount),
    resourceVersion: typeof meta.resourceVersion === 'string' ? meta.resourceVersion : '',
  };
}

/** `json` as Status's JSON, cut and checked. */
export function makeStatus(json: JsonObject): KubeDocument {
  const { status = '', message = '', reason = '', code = 0, details } = json as Partial<KubeStatus>;
  return { type: 'status', status: { status, message, reason, code, details } };
}

/** `json` as the message of its kind shows it, apiVersion and kind in front. Throws UserError on one without a name. */
export function checkObject(json: JsonObject, path: string, index?: number): KubeObject {
  const object = json as unknown as KubeObject;
  if (object.metadata?.name !== undefined) return object;
  throw new UserError(
    `${path}${index === undefined ? '' : `[${index}]`} has no metadata.name, so it is no object of a cluster`,
    'Save the objects with kubectl get -o json, or -o yaml.',
  );
}
