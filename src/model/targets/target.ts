// How TARGET is written: `[<type>/]<name>[.<namespace>]`, or a whole identity.

import { UsageError } from '../../base/errors.ts';
import { parseIdentity } from '../certificates/identity.ts';

/** What TARGET can be, each with the other names that kubectl's users type. */
export const TARGET_TYPES = {
  pod: ['pods', 'po'],
  deployment: ['deployments', 'deploy'],
  statefulset: ['statefulsets', 'sts'],
  daemonset: ['daemonsets', 'ds'],
  job: ['jobs'],
  cronjob: ['cronjobs', 'cj'],
  serviceaccount: ['serviceaccounts', 'sa'],
  node: ['nodes', 'no'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type TargetType = keyof typeof TARGET_TYPES;

const TYPES = new Map<string, TargetType>(
  Object.entries(TARGET_TYPES).flatMap(([type, others]) =>
    [type, ...others].map((name) => [name, type as TargetType] as const),
  ),
);

export type Target =
  | { readonly type: TargetType; readonly name: string }
  | { readonly type: 'identity'; readonly name: string };

/** Reads TARGET; the name keeps its dots. Throws UsageError. */
export function parseTarget(text: string): Target {
  if (text.startsWith('spiffe://')) {
    if (parseIdentity(text)) return { type: 'identity', name: text };
    throw new UsageError(
      `"${text}" is no identity of a workload`,
      'Write it like spiffe://cluster.local/ns/shop/sa/web.',
    );
  }
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  const type = slash < 0 ? 'pod' : parseTargetType(text.slice(0, slash));
  if (type === undefined) {
    throw new UsageError(
      `TARGET has no type "${text.slice(0, slash)}"`,
      `It is one of: ${Object.keys(TARGET_TYPES).join(', ')}; or write a whole spiffe://… identity.`,
    );
  }
  if (name !== '' && !name.includes('/')) return { type, name };
  throw new UsageError(`"${text}" names no ${type}`, 'Write it like deployment/web or deployment/web.shop.');
}

/** Of what is in no group here, kubectl knows no longer name. */
const GROUPS: Partial<Record<TargetType, string>> = {
  deployment: 'apps',
  statefulset: 'apps',
  daemonset: 'apps',
  job: 'batch',
  cronjob: 'batch',
};

/**
 * As kubectl takes it: singular, plural or short, as OWNER shows it (`Deployment`), and with its API group, as
 * `kubectl get -o name` prints it (`deployment.apps`), or with version and group (`deployments.v1.apps`).
 */
export function parseTargetType(text: string): TargetType | undefined {
  const [name = '', ...rest] = text.toLowerCase().split('.');
  const type = TYPES.get(name);
  if (type === undefined || rest.length === 0) return type;
  const group = rest.length > 1 && VERSION.test(rest[0]!) ? rest.slice(1) : rest;
  return group.join('.') === GROUPS[type] ? type : undefined;
}

const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/;

/** A name, and the namespace that the text itself gives. */
export interface Reading {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** What the name can mean, likeliest first: whole, then split at its last dot. Nodes and identities are never split. */
export function readingsOf({ type, name }: Target): readonly Reading[] {
  const whole = { name, namespace: undefined };
  const dot = name.lastIndexOf('.');
  if (type === 'node' || type === 'identity' || dot < 1 || dot === name.length - 1) return [whole];
  return [whole, { name: name.slice(0, dot), namespace: name.slice(dot + 1) }];
}

/** TARGET as one would type it: a pod by its name alone, a namespace after a dot. */
export function formatTarget(type: Target['type'], name: string, namespace?: string): string {
  const full = namespace === undefined ? name : `${name}.${namespace}`;
  return type === 'pod' || type === 'identity' ? full : `${type}/${full}`;
}
