// Which HTTP headers tell the API server who asks, besides a bearer token.

import type { UserEntry } from '../kubeconfig/kubeconfigentry.ts';

/** Secret, never to be shown. */
export function basicAuth(user: UserEntry): Readonly<Record<string, string>> {
  if (user.username === undefined) return {};
  const pair = Buffer.from(`${user.username}:${user.password ?? ''}`, 'utf8').toString('base64');
  return { Authorization: `Basic ${pair}` };
}

/** client-node sends only the name; groups, uid and extra are needed to be someone else in full. */
export function impersonation(user: UserEntry): Readonly<Record<string, string | readonly string[]>> {
  if (user.as === undefined) return {};
  const extra = Object.entries(user.asExtra).map(([key, values]) => [
    `Impersonate-Extra-${encodeURIComponent(key)}`,
    values,
  ]);
  return {
    'Impersonate-User': user.as,
    ...(user.asGroups.length > 0 && { 'Impersonate-Group': user.asGroups }),
    ...(user.asUid !== undefined && { 'Impersonate-Uid': user.asUid }),
    ...Object.fromEntries(extra),
  };
}
