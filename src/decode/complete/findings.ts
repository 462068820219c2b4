// What is told of objects that could not be read as a whole.

import type { JsonObject } from '../../base/json.ts';
import type { UnknownField } from './read.ts';

/** Called while objects are read; each names the object as `StatefulSet shop/cart`. */
export interface Findings {
  /** A field that the kind has not; it is left out. */
  readonly unknownField: (object: string, field: UnknownField) => void;
  /** A member of JSON or YAML that the kind has not; it is kept. */
  readonly extraMember: (object: string, path: string) => void;
  /** A kind that is not known: shown as far as its metadata. */
  readonly unknownKind: (object: string, apiVersion: string, fields: readonly FieldSummary[]) => void;
  /** etcd gave so many keys, and holds more; `count` of them, if it says so. */
  readonly cutShort: (given: number, count: number | undefined) => void;
  /** One that is left out altogether. */
  readonly broken: (thrown: unknown) => void;
}

/** Fields of one number that are not known. */
export interface FieldSummary {
  readonly number: number;
  readonly type: string;
  readonly count: number;
  /** Of all of them. */
  readonly bytes: number;
}

const WIRE_TYPES = ['varint', 'fixed64', 'bytes', 'group', 'group', 'fixed32'] as const;
/** No message has nearly as many. */
export const MAX_FIELDS = 1000;

/** By number, ascending. undefined if there are more than a message can have. */
export function summarise(fields: readonly UnknownField[]): readonly FieldSummary[] | undefined {
  const byNumber = new Map<number, FieldSummary>();
  for (const { number, wireType, bytes } of fields) {
    const known = byNumber.get(number) ?? { number, type: WIRE_TYPES[wireType] ?? '', count: 0, bytes: 0 };
    byNumber.set(number, { ...known, count: known.count + 1, bytes: known.bytes + bytes });
    if (byNumber.size > MAX_FIELDS) return undefined;
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/** Longer names are no names. */
const MAX_LABEL = 100;

/** `StatefulSet shop/cart`, as far as the object has a name. */
export function labelOf(kind: string, object: JsonObject): string {
  const { metadata } = object as {
    readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
  };
  const { name, namespace } = metadata ?? {};
  const place = typeof namespace === 'string' ? `${namespace}/` : '';
  const label = typeof name === 'string' ? `${kind} ${place}${name}` : kind;
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL)}…` : label;
}
