// How a kind of object is asked for: the path of its list, and the encodings that are taken.

import type { Kind } from '../../model/kinds.ts';

/** The path of a list, of one namespace or of all. */
export function listPath(kind: Kind, namespace: string | undefined): string {
  const root = kind.group === '' ? '/api' : `/apis/${kind.group}`;
  const scope = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}/${kind.version}${scope}/${kind.plural}`;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const METADATA = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Protobuf first, it is smaller and faster to read; JSON for what does not speak it. */
export function acceptOf(kind: Kind): string {
  if (kind.custom) return 'application/json';
  return kind.metadataOnly
    ? `${PROTOBUF};${METADATA}, application/json;${METADATA};q=0.9, ${PROTOBUF};q=0.8, application/json;q=0.5`
    : `${PROTOBUF}, application/json;q=0.5`;
}
