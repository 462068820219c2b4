// How ztunnel's policies read in the words of those who wrote them, and what they were made of.

import type { Policy } from '../dump.ts';
import {
  type Clause,
  type Condition,
  isEmptyMatch,
  KINDS,
  type Kind,
  type ReadPolicy,
  type Rule,
  type RuleMatch,
} from './rules.ts';

/** What istiod made a policy of. */
export type PolicyOrigin =
  | { readonly kind: 'AuthorizationPolicy'; readonly namespace: string; readonly name: string }
  /** `name` is null for the one policy that stands for every strict PeerAuthentication without exceptions. */
  | { readonly kind: 'PeerAuthentication'; readonly namespace: string; readonly name: string | null }
  /** Lets a waypoint in, where istiod is set to make such policies. */
  | { readonly kind: 'Waypoint'; readonly namespace: string; readonly name: string };

/** istiod's names for what it makes; `_` can't stand in a Kubernetes name. */
export const STATIC_STRICT = 'istio_converted_static_strict';
export const CONVERTED_PREFIX = 'converted_peer_authentication_';
const WAYPOINT = /^istio_allow_waypoint_([^_]*)_(.*)$/;

export function originOf({ namespace, name }: Pick<Policy, 'namespace' | 'name'>): PolicyOrigin {
  if (name === STATIC_STRICT) return { kind: 'PeerAuthentication', namespace, name: null };
  if (name.startsWith(CONVERTED_PREFIX)) {
    return { kind: 'PeerAuthentication', namespace, name: name.slice(CONVERTED_PREFIX.length) };
  }
  const [, waypointNamespace, waypoint] = WAYPOINT.exec(name) ?? [];
  return waypointNamespace !== undefined && waypoint !== undefined
    ? { kind: 'Waypoint', namespace: waypointNamespace, name: waypoint }
    : { kind: 'AuthorizationPolicy', namespace, name };
}

/** `shop/p`, `PeerAuthentication shop/p`, `PeerAuthentication STRICT`, `policy that lets in waypoint shop/w`. */
export function formatOrigin(origin: PolicyOrigin): string {
  const { kind, namespace, name } = origin;
  if (kind === 'AuthorizationPolicy') return `${namespace}/${name}`;
  if (kind === 'Waypoint') return `policy that lets in waypoint ${namespace}/${name}`;
  return name === null ? 'PeerAuthentication STRICT' : `PeerAuthentication ${namespace}/${name}`;
}

/**
 * `from principals cluster.local/ns/shop/sa/web to ports 8080; …`: of rules (`;`) one must hold. `never` for a policy
 * without rules, `any connection` for a rule that asks nothing.
 */
export function formatRules({ rules }: ReadPolicy): string {
  if (rules === undefined) return 'rules that can not be read';
  return rules.length === 0 ? 'never' : rules.map(formatRule).join('; ');
}

/** One rule on one line. */
export function formatRule(rule: Rule): string {
  const clauses = rule.filter((clause) => clause.length > 0);
  if (clauses.some((clause) => clause.every(isEmptyMatch))) return 'never';
  if (clauses.length === 0) return 'any connection';
  const about = (end: 'source' | 'destination') =>
    clauses.filter((clause) => clause.every((match) => isOf(match, end)));
  const [sources, destinations] = [about('source'), about('destination')];
  const others = clauses.filter((clause) => !sources.includes(clause) && !destinations.includes(clause));
  return [
    ...(sources.length > 0 ? [`from ${joinClauses(sources)}`] : []),
    ...(destinations.length > 0 ? [`to ${joinClauses(destinations)}`] : []),
    ...others.map((clause) =>
      clause
        .filter((match) => !isEmptyMatch(match))
        .map(formatMixed)
        .join(' or '),
    ),
  ].join(' ');
}

function isOf({ conditions, unknown }: RuleMatch, end: 'source' | 'destination'): boolean {
  return unknown.length === 0 && conditions.every(({ kind }) => KINDS[kind].end === end);
}

function joinClauses(clauses: readonly Clause[]): string {
  return clauses
    .map((clause) => {
      const matches = clause.filter((match) => !isEmptyMatch(match));
      const text = matches.map(({ conditions }) => formatConditions(conditions)).join(' or ');
      return clauses.length > 1 && matches.length > 1 ? `(${text})` : text;
    })
    .join(' and ');
}

/** A match about both ends, as istiod makes them of a PeerAuthentication's ports. */
function formatMixed({ conditions, unknown }: RuleMatch): string {
  const about = (end: 'source' | 'destination') =>
    formatConditions(conditions.filter(({ kind }) => KINDS[kind].end === end));
  const [sources, destinations] = [about('source'), about('destination')];
  return [
    ...(sources ? [`from ${sources}`] : []),
    ...(destinations ? [`to ${destinations}`] : []),
    ...unknown.map((name) => `if ${name}`),
  ].join(' ');
}

function formatConditions(conditions: readonly Condition[]): string {
  return conditions.map(formatCondition).join(' and ');
}

const WORDS = {
  namespaces: 'namespaces',
  principals: 'principals',
  serviceAccounts: 'service accounts',
  sourceIps: 'addresses',
  destinationIps: 'addresses',
  destinationPorts: 'ports',
} satisfies Record<Kind, string>;

/** `principals a, b`, `ports other than 9090`, `any identity`, `no identity`. */
function formatCondition({ kind, not, values }: Condition): string {
  const isAnything = values.some((value) => value.type === 'text' && value.match === 'Presence');
  if (isAnything && kind === 'principals') return not ? 'no identity' : 'any identity';
  if (isAnything && kind === 'namespaces') return not ? 'no namespace' : 'any namespace';
  return `${WORDS[kind]} ${not ? 'other than ' : ''}${values.map(({ text }) => text).join(', ')}`;
}
