// Which fields of a message, and of those that it holds, no object of some sets: what a test leaves out.

import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Descriptor } from '../../src/decode/schema/descriptor.ts';

/** Messages by name, with the fields that were seen. */
type Seen = Map<string, { readonly message: Descriptor; readonly names: Set<string> }>;

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function see(message: Descriptor, objects: readonly Json[], seen: Seen): void {
  const entry = seen.get(message.name) ?? { message, names: new Set<string>() };
  seen.set(message.name, entry);
  for (const field of message.fields) {
    const inline = field.presence === 'inline';
    const held = inline ? objects : objects.filter(isObject).flatMap((each) => each[field.name] ?? []);
    if (held.length > 0) entry.names.add(field.name);
    // Times, amounts and field sets are no objects of their fields, and maps have keys of their own.
    const { message: type } = field;
    if (type !== undefined && field.repeat !== 'map' && !WELL_KNOWN.test(type.name)) see(type, held, seen);
  }
}

const WELL_KNOWN = /\.(?:Time|MicroTime|FieldsV1|Quantity|IntOrString)$/;

/** Full names: `k8s.io.api.core.v1.PodSpec.os`. */
export function unset(message: Descriptor, objects: readonly Json[]): readonly string[] {
  const seen: Seen = new Map();
  see(message, objects, seen);
  return [...seen.values()].flatMap(({ message: { name, fields }, names }) =>
    fields.filter((field) => !names.has(field.name)).map((field) => `${name}.${field.name}`),
  );
}
