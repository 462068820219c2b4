// Every field of every message that is read as a table in TypeScript source: what src/decode/schema makes descriptors of.
import protobuf from 'protobufjs';
import { FAST_ROOTS, fullName, isCut, messagesOf, presenceOf } from './schema.ts';

/** The kinds that are read to their last field. */
const ROOTS = [
  'k8s.io.api.apps.v1.StatefulSet',
  'k8s.io.api.apps.v1beta1.StatefulSet',
  'k8s.io.api.apps.v1beta2.StatefulSet',
  'k8s.io.api.coordination.v1.Lease',
  'k8s.io.api.coordination.v1alpha2.LeaseCandidate',
  'k8s.io.api.coordination.v1beta1.Lease',
  'k8s.io.api.coordination.v1beta1.LeaseCandidate',
  'k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta',
  'k8s.io.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
  'k8s.io.apimachinery.pkg.apis.meta.v1.Status',
];
const SCALARS = ['string', 'bytes', 'bool', 'int32', 'int64'];

function typeOf(field: protobuf.Field): string {
  const held = field.resolvedType;
  if (held instanceof protobuf.Type) return fullName(held);
  if (SCALARS.includes(field.type)) return field.type;
  throw new Error(`${fullName(field)}: a field of type ${field.type} can't be read yet`);
}

/** Names of the message and of all that it holds. Throws on one that holds itself: depth is bounded by the schema. */
function reach(root: protobuf.Root, name: string, above: readonly string[]): readonly string[] {
  if (above.includes(name)) throw new Error(`${name} holds itself`);
  const held = root.lookupType(name).fieldsArray.flatMap(({ resolvedType }) => resolvedType ?? []);
  return [name, ...held.flatMap((type) => reach(root, fullName(type), [...above, name]))];
}

function writeField(field: protobuf.Field): string {
  const repeat = field.map ? 'map' : field.repeated ? 'list' : 'one';
  return `    [${field.id}, '${field.name}', '${typeOf(field)}', '${repeat}', '${presenceOf(field)}'],\n`;
}

/** The source of the generated module. Throws on a type that cannot be read yet. */
export function writeDescriptors(root: protobuf.Root): string {
  const all = messagesOf(root);
  const roots = [...ROOTS, ...FAST_ROOTS, ...all.filter(isCut).map(fullName)];
  const names = new Set(roots.flatMap((name) => reach(root, name, [])));
  const types = all.filter((type) => names.has(fullName(type)));
  const entries = types.map(
    (type) => `  '${fullName(type)}': [\n${type.fieldsArray.map(writeField).join('')}  ],\n`,
  );
  return `// Generated from proto/ by scripts/generate.ts; not committed.
import type { FieldRow } from '../schema/descriptor.ts';

export const ROWS: Readonly<Record<string, readonly FieldRow[]>> = {
${entries.sort().join('')}};
`;
}
