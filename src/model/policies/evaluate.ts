// Whether ztunnel's policies let a connection into a workload.

import type { Policy, Workload } from '../dump.ts';
import { compareText } from '../order.ts';
import {
  type Condition,
  isEmptyMatch,
  KINDS,
  type PolicyConnection,
  type ReadPolicy,
  type Rule,
  type RuleMatch,
  readPolicy,
  type Truth,
  type Value,
} from './rules.ts';

/** Whether a policy of a ztunnel matches. Any rule must hold, so that one without rules never does. */
export function matchesPolicy({ rules }: ReadPolicy, connection: PolicyConnection): Truth {
  return rules === undefined ? undefined : any(rules, (rule) => holdsRule(rule, connection));
}

/** All clauses must hold, and of each clause any match; one that is empty always does. */
export function holdsRule(rule: Rule, connection: PolicyConnection): Truth {
  return all(rule, (clause) => clause.length === 0 || any(clause, (match) => holdsMatch(match, connection)));
}

/** All conditions must hold; an empty match never does. */
export function holdsMatch(match: RuleMatch, connection: PolicyConnection): Truth {
  if (isEmptyMatch(match)) return false;
  const { conditions, unknown } = match;
  const known = all(conditions, (condition) => holdsCondition(condition, connection));
  return known === true && unknown.length > 0 ? undefined : known;
}

/** One of the values must fit, or of a `not…` list none. */
export function holdsCondition({ kind, not, values }: Condition, connection: PolicyConnection): Truth {
  const fits = any(values, (value) => fitsValue(kind, value, connection));
  return fits === undefined ? undefined : fits !== not;
}

export function fitsValue(kind: Condition['kind'], value: Value, connection: PolicyConnection): Truth {
  return value.type === 'unreadable' ? undefined : KINDS[kind].holds(value, connection);
}

function any<T>(elements: readonly T[], holds: (element: T) => Truth): Truth {
  let result: Truth = false;
  for (const element of elements) {
    const truth = holds(element);
    if (truth === true) return true;
    if (truth === undefined) result = undefined;
  }
  return result;
}

function all<T>(elements: readonly T[], holds: (element: T) => Truth): Truth {
  let result: Truth = true;
  for (const element of elements) {
    const truth = holds(element);
    if (truth === false) return false;
    if (truth === undefined) result = undefined;
  }
  return result;
}

/** The policies that apply to a workload, each once, by namespace and name. */
export interface Applying {
  readonly enforced: readonly ReadPolicy[];
  /** Those that would not be enforced: ztunnel only logs what they would do. */
  readonly dryRun: readonly ReadPolicy[];
  /** Those that the workload names and the ztunnel does not have; it skips them. */
  readonly absent: readonly string[];
}

export interface PolicyIndex {
  readonly policies: readonly ReadPolicy[];
  readonly find: (key: string) => ReadPolicy | undefined;
  readonly applyingTo: (workload: Pick<Workload, 'namespace' | 'authorizationPolicies'>) => Applying;
}

/** Reads one ztunnel's policies once; equal answers are the same value. */
export function createPolicyIndex(policies: readonly Policy[]): PolicyIndex {
  const read = policies.map(readPolicy).toSorted((a, b) => compareText(a.key, b.key));
  const byKey = new Map(read.map((each) => [each.key, each]));
  const everywhere = read.filter(({ policy }) => policy.scope === 'Global');
  const inNamespace = Map.groupBy(
    read.filter(({ policy }) => policy.scope === 'Namespace'),
    ({ policy }) => policy.namespace,
  );
  const known = new Map<string, Applying>();
  const collect = (namespace: string, names: readonly string[]): Applying => {
    const named = names.flatMap((name) => byKey.get(name) ?? []);
    const found = [...new Set([...everywhere, ...(inNamespace.get(namespace) ?? []), ...named])];
    const sorted = found.sort((a, b) => compareText(a.key, b.key));
    return {
      enforced: sorted.filter(({ policy }) => !policy.dryRun),
      dryRun: sorted.filter(({ policy }) => policy.dryRun),
      absent: [...new Set(names.filter((name) => !byKey.has(name)))].sort(compareText),
    };
  };
  return {
    policies: read,
    find: (key) => byKey.get(key),
    applyingTo: ({ namespace, authorizationPolicies }) => {
      const key = JSON.stringify([namespace, ...authorizationPolicies]);
      const applying = known.get(key) ?? collect(namespace, authorizationPolicies);
      known.set(key, applying);
      return applying;
    },
  };
}

/** Why it is so. */
export type PolicyReason =
  /** A DENY matches. */
  | 'denied'
  /** An ALLOW matches. */
  | 'allowed'
  /** No ALLOW applies, and no DENY matches. */
  | 'nothingAgainst'
  /** ALLOW policies apply, and none matches. */
  | 'nothingAllows'
  /** What decides can't be read or is not known. */
  | 'unknown';

export interface PolicyDecision {
  /** undefined: can't be told. */
  readonly allowed: Truth;
  readonly reason: PolicyReason;
  /** The first one that matches, or that can't be told; undefined where none does. */
  readonly policy: ReadPolicy | undefined;
}

/** What decides a connection. */
export function decide({ enforced }: Applying, connection: PolicyConnection): PolicyDecision {
  return decideAmong(enforced, connection);
}

/** What would decide it if those of a dry run were enforced, too. */
export function decideEnforcing(
  { enforced, dryRun }: Applying,
  connection: PolicyConnection,
): PolicyDecision {
  return decideAmong([...enforced, ...dryRun], connection);
}

function decideAmong(policies: readonly ReadPolicy[], connection: PolicyConnection): PolicyDecision {
  let doubtful: ReadPolicy | undefined;
  for (const policy of policies) {
    if (policy.policy.action === 'Allow') continue;
    const truth = matchesPolicy(policy, connection);
    // An action that is not known here may refuse.
    if (truth === true && policy.policy.action === 'Deny')
      return { allowed: false, reason: 'denied', policy };
    if (truth !== false) doubtful ??= policy;
  }
  let allows = 0;
  let open: ReadPolicy | undefined;
  for (const policy of policies) {
    if (policy.policy.action !== 'Allow') continue;
    allows += 1;
    const truth = matchesPolicy(policy, connection);
    if (truth === true) {
      if (doubtful !== undefined) return { allowed: undefined, reason: 'unknown', policy: doubtful };
      return { allowed: true, reason: 'allowed', policy };
    }
    if (truth === undefined) open ??= policy;
  }
  if (allows > 0 && open === undefined) return { allowed: false, reason: 'nothingAllows', policy: undefined };
  const unclear = doubtful ?? open;
  if (unclear !== undefined) return { allowed: undefined, reason: 'unknown', policy: unclear };
  return { allowed: true, reason: 'nothingAgainst', policy: undefined };
}
