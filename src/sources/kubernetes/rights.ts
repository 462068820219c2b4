// Which rights the program needs, as a ClusterRole that can be applied.

import { ALL_KINDS } from '../../model/kinds.ts';

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
