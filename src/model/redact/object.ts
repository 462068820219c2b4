// How a Kubernetes object of any kind is redacted.

import { findKind } from '../kinds.ts';
import type { KubeObject } from '../kubernetes.ts';
import type { Names } from './names.ts';
import { redactMeta } from './objects.ts';

/** Its kind stays; of a kind that is not listed, nothing but its metadata does. */
export function redactObject(object: KubeObject, names: Names): KubeObject {
  const { apiVersion, kind } = object;
  const metadata = redactMeta(object.metadata, names);
  return { apiVersion, kind, metadata, ...findKind(kind)?.redact(object as never, names) };
}
