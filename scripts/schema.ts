// What the .proto files say of messages, as far as both of what is generated from them need it.
import protobuf from 'protobufjs';

/** Messages that JSON shows as something else than an object; read by the functions of src/decode/kube/wellknown.ts. */
export const WELL_KNOWN: Readonly<Record<string, string>> = {
  'k8s.io.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime': 'microTime',
  'k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1': 'fieldsV1',
  'k8s.io.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'k8s.io.apimachinery.pkg.api.resource.Quantity': 'quantity',
};

export const fullName = (type: protobuf.ReflectionObject): string => type.fullName.replace(/^\./, '');

/** All messages below a namespace, those of protobuf itself left out. */
export function messagesOf(namespace: protobuf.NamespaceBase): protobuf.Type[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Type) return [nested, ...messagesOf(nested)];
    return nested instanceof protobuf.Namespace && fullName(nested) !== 'google' ? messagesOf(nested) : [];
  });
}

/** The option of proto/ztunnel/json.proto, in the words of src/decode/kube/message.ts. */
export function presenceOf(field: protobuf.Field): 'nonzero' | 'pointer' | 'always' | 'null' | 'inline' {
  const option = field.options?.['(ztunnel.json)'];
  return option === undefined ? 'nonzero' : (String(option).toLowerCase() as 'pointer');
}
