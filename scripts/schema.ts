// What the .proto files say of messages, as far as both of what is generated from them need it.
import protobuf from 'protobufjs';

/** What src/decode/kube reads fast (messages.ts), besides all of ztunnel.cut. */
export const FAST_ROOTS: readonly string[] = [
  'k8s.io.api.coordination.v1.Lease',
  'k8s.io.api.coordination.v1beta1.Lease',
  'k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta',
  'k8s.io.apimachinery.pkg.apis.meta.v1.Status',
  'k8s.io.apimachinery.pkg.runtime.Unknown',
];

export const fullName = (type: protobuf.ReflectionObject): string => type.fullName.replace(/^\./, '');

/** Cut to the fields that this program reads. */
export const isCut = (type: protobuf.Type): boolean => fullName(type).startsWith('ztunnel.cut.');

/** All messages below a namespace, those of protobuf itself left out. */
export function messagesOf(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Type) return [nested, ...messagesOf(nested)];
    return nested instanceof protobuf.Namespace && fullName(nested) !== 'google' ? messagesOf(nested) : [];
  });
}

/** The option of proto/ztunnel/json.proto, in the words of src/decode/schema/descriptor.ts. */
export function presenceOf(field: protobuf.Field): 'nonzero' | 'pointer' | 'always' | 'null' | 'inline' {
  const option = field.options?.['(ztunnel.json)'];
  return option === undefined ? 'nonzero' : (String(option).toLowerCase() as 'pointer');
}
