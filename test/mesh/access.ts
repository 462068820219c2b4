// Who may do what: bearer tokens and the rights that go with them, as RBAC grants them.

import type { Access } from './status.ts';

export interface Rule {
  readonly verbs: readonly string[];
  /** `pods`, `pods/portforward`, …; `*` is all. */
  readonly resources: readonly string[];
  /** A Role in each of these; undefined is a ClusterRole. */
  readonly namespaces?: readonly string[];
}

export interface User {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** By bearer token. */
export type Users = Readonly<Record<string, User>>;

export const EVERYTHING: readonly Rule[] = [{ verbs: ['*'], resources: ['*'] }];

/** The user of an `Authorization` header; undefined where the token is unknown or missing. */
export function userOf(authorization: string | undefined, users: Users): User | undefined {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
  return Object.hasOwn(users, token) ? users[token] : undefined;
}

export function isAllowed(user: User, access: Access): boolean {
  const resource = access.subresource ? `${access.resource}/${access.subresource}` : access.resource;
  return user.rules.some(
    (rule) =>
      grants(rule.verbs, access.verb) &&
      grants(rule.resources, resource) &&
      (rule.namespaces === undefined ||
        (access.namespace !== undefined && rule.namespaces.includes(access.namespace))),
  );
}

function grants(granted: readonly string[], wanted: string): boolean {
  return granted.includes('*') || granted.includes(wanted);
}
