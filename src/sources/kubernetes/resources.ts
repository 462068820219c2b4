// How a kind of object is requested, and the rights that needs, as a ClusterRole that can be applied.

import { ALL_KINDS, type Kind } from '../../model/kinds.ts';

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

/**
 * YAML of the ClusterRole with which every reading command works in full. Kubernetes ≥ 1.35 asks for `create`
 * on `pods/portforward` where older ones ask for `get`, so it has both.
 */
export function clusterRole(): string {
  const groups = [...new Set(ALL_KINDS.map((kind) => kind.group))];
  const rules = groups.map((group) => {
    const plurals = ALL_KINDS.filter((kind) => kind.group === group).map(({ plural }) => plural);
    return rule(group, plurals, ['list']);
  });
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRole',
    'metadata:',
    '  name: kubectl-ztunnel',
    'rules:',
    ...rules,
    rule('', ['pods/portforward'], ['get', 'create']),
    '',
  ].join('\n');
}

function rule(group: string, plurals: readonly string[], verbs: readonly string[]): string {
  return [
    `  - apiGroups: ["${group}"]`,
    `    resources: [${plurals.map((plural) => `"${plural}"`).join(', ')}]`,
    `    verbs: [${verbs.map((verb) => `"${verb}"`).join(', ')}]`,
  ].join('\n');
}
