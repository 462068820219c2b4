// Which rights the control plane's users get: each the README's ClusterRole, or a part of it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import type { Api } from './api.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const RBAC_GROUP = 'rbac.authorization.k8s.io';
const README = path.resolve(import.meta.dirname, '../../README.md');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface ClusterRole {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules: readonly Rule[];
}

/** The ClusterRole in the README, whose YAML document may be one of several in a block. */
export function readmeRole(): ClusterRole {
  const blocks = readFileSync(README, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g);
  const documents = [...blocks].flatMap(([, text]) => loadAll(text!) as ClusterRole[]);
  const role = documents.find(({ kind }) => kind === 'ClusterRole');
  if (role === undefined) throw new Error('the README holds no ClusterRole');
  return role;
}

/** Who may impersonate what: one user, one group, one uid. */
export const IMPERSONATED = { user: 'jane', group: 'on-call', uid: '7' } as const;

/** Applies them, and waits until they count. */
export async function grantRoles(api: Api): Promise<void> {
  const role = readmeRole();
  const { metadata, rules } = role;
  const forward = (rule: Rule) => rule.resources.includes('pods/portforward');
  const lists = rules.filter((rule) => !forward(rule));
  await api.create(`${RBAC}/clusterroles`, role);
  await bind(api, metadata.name, [user('reader'), { kind: 'Group', name: IMPERSONATED.group }]);
  await grant(api, 'noforward', lists);
  await grant(api, 'getforward', [...lists, { ...rules.find(forward)!, verbs: ['get'] }]);
  await grant(api, 'nolist', rules.filter(forward));
  await grant(api, 'impersonator', impersonating());
  await grantInNamespace(api, 'namespaced', 'istio-system', rules);
  const pods = { verb: 'list', resource: 'pods' };
  const portforward = { verb: 'create', resource: 'pods', subresource: 'portforward' };
  await Promise.all([
    ...['reader', 'noforward', 'getforward'].map((name) => api.untilAllowed(name, [], pods)),
    api.untilAllowed('nolist', [], portforward),
    api.untilAllowed('namespaced', [], { ...portforward, namespace: 'istio-system' }),
    api.untilAllowed(IMPERSONATED.user, [IMPERSONATED.group], pods),
    api.untilAllowed('impersonator', [], { verb: 'impersonate', resource: 'users', name: IMPERSONATED.user }),
  ]);
}

function impersonating(): readonly Rule[] {
  const may = (group: string, resource: string, name: string): Rule => ({
    apiGroups: [group],
    resources: [resource],
    resourceNames: [name],
    verbs: ['impersonate'],
  });
  return [
    may('', 'users', IMPERSONATED.user),
    may('', 'groups', IMPERSONATED.group),
    may('authentication.k8s.io', 'uids', IMPERSONATED.uid),
  ];
}

const user = (name: string) => ({ kind: 'User', name });

async function grant(api: Api, name: string, rules: readonly Rule[]): Promise<void> {
  await api.create(`${RBAC}/clusterroles`, { metadata: { name }, rules });
  await bind(api, name, [user(name)]);
}

async function bind(api: Api, name: string, subjects: readonly object[]): Promise<void> {
  await api.create(`${RBAC}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    subjects: subjects.map((subject) => ({ apiGroup: RBAC_GROUP, ...subject })),
  });
}

async function grantInNamespace(
  api: Api,
  name: string,
  namespace: string,
  rules: readonly Rule[],
): Promise<void> {
  const where = `${RBAC}/namespaces/${namespace}`;
  await api.create(`${where}/roles`, { metadata: { name }, rules });
  await api.create(`${where}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name },
    subjects: [{ apiGroup: RBAC_GROUP, ...user(name) }],
  });
}
