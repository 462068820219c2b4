// What is wrong with policies whatever connects: values that nothing fits, policies that select or allow nothing.

import { formatPrincipal } from '../certificates/identity.ts';
import { plural } from '../certificates/summary.ts';
import type { Policy, Workload } from '../dump.ts';
import {
  type Condition,
  fitsText,
  isEmptyMatch,
  type Kind,
  nameOf,
  type ReadPolicy,
  type Rule,
  type RuleMatch,
  readPolicy,
  type Value,
} from './rules.ts';
import { originOf } from './words.ts';

/** Why nothing fits a value. */
export type Unfit =
  /** Principals are compared without `spiffe://`. */
  | 'scheme'
  /** No workload is in its trust domain. */
  | 'trustDomain'
  /** No workload runs as the account. */
  | 'account'
  /** No workload is in the namespace. */
  | 'namespace'
  /** A prefix or suffix that no identity has. */
  | 'nobody';

export type PolicyFact =
  | {
      readonly fact: 'valueFitsNothing';
      readonly policy: string;
      /** Counted from 0. */
      readonly rule: number;
      readonly kind: Kind;
      /** In a `not…` list it excludes nobody. */
      readonly not: boolean;
      readonly value: string;
      readonly why: Unfit;
    }
  /** `workloads`: those that it selects and ztunnel does not capture. */
  | { readonly fact: 'selectsNothing'; readonly policy: string; readonly workloads: number }
  /** An ALLOW that refuses everything to what it selects. */
  | {
      readonly fact: 'allowsNothing';
      readonly policy: string;
      /** Captured ones that it selects. */
      readonly workloads: number;
      readonly why: 'noRules' | 'emptyMatch' | 'valueFitsNothing';
    };

export interface PolicyFactsInput {
  readonly policies: readonly Policy[];
  /** Of the whole mesh, as a dump has them. */
  readonly workloads: readonly Workload[];
}

/** By policy, in the order given. */
export function findPolicyFacts({ policies, workloads }: PolicyFactsInput): readonly PolicyFact[] {
  const known = listKnown(workloads);
  const selected = createSelection(workloads);
  return policies.map(readPolicy).flatMap((policy) => {
    const { workloads: all, captured } = selected(policy.policy);
    const isShared = originOf(policy.policy).kind === 'PeerAuthentication';
    const nothing = findAllowsNothing(policy, known);
    return [
      ...listUnfit(policy, known),
      // istiod sends the shared policy of PeerAuthentications whether it is used or not.
      ...(captured === 0 && !isShared
        ? [{ fact: 'selectsNothing', policy: policy.key, workloads: all } as const]
        : []),
      ...(nothing === undefined || captured === 0
        ? []
        : [{ fact: 'allowsNothing', policy: policy.key, workloads: captured, why: nothing } as const]),
    ];
  });
}

interface Known {
  readonly principals: ReadonlySet<string>;
  readonly trustDomains: ReadonlySet<string>;
  /** `namespace/account`. */
  readonly accounts: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

function listKnown(workloads: readonly Workload[]): Known {
  return {
    principals: new Set(workloads.map(formatPrincipal)),
    trustDomains: new Set(workloads.map(({ trustDomain }) => trustDomain)),
    accounts: new Set(workloads.map(({ namespace, serviceAccount }) => `${namespace}/${serviceAccount}`)),
    namespaces: new Set(workloads.map(({ namespace }) => namespace)),
  };
}

interface Selected {
  readonly workloads: number;
  readonly captured: number;
}

const NONE: Selected = { workloads: 0, captured: 0 };

/** Counts once, since a mesh has 100,000 workloads and 1,000 policies. */
function createSelection(workloads: readonly Workload[]): (policy: Policy) => Selected {
  const byNamespace = new Map<string, Selected>();
  const byName = new Map<string, Selected>();
  const count = (counts: Map<string, Selected>, key: string, captured: boolean) => {
    const known = counts.get(key) ?? NONE;
    counts.set(key, { workloads: known.workloads + 1, captured: known.captured + (captured ? 1 : 0) });
  };
  let everywhere = NONE;
  for (const workload of workloads) {
    const captured = isCapturedWorkload(workload);
    everywhere = {
      workloads: everywhere.workloads + 1,
      captured: everywhere.captured + (captured ? 1 : 0),
    };
    count(byNamespace, workload.namespace, captured);
    for (const name of new Set(workload.authorizationPolicies)) count(byName, name, captured);
  }
  return ({ scope, namespace, name }) => {
    if (scope === 'Global') return everywhere;
    return (scope === 'Namespace' ? byNamespace.get(namespace) : byName.get(`${namespace}/${name}`)) ?? NONE;
  };
}

/** What istiod says of it: a waypoint or gateway has its own proxy. */
function isCapturedWorkload({ protocol, nativeTunnel, networkMode }: Workload): boolean {
  return protocol === 'HBONE' && !nativeTunnel && networkMode !== 'HostNetwork';
}

function listUnfit({ key, rules }: ReadPolicy, known: Known): readonly PolicyFact[] {
  return (rules ?? []).flatMap((rule, index) =>
    rule.flat().flatMap(({ conditions }) =>
      conditions.flatMap((condition) =>
        condition.values.flatMap((value) => {
          const why = unfitOf(condition.kind, value, known);
          if (why === undefined) return [];
          const { kind, not } = condition;
          return [
            {
              fact: 'valueFitsNothing' as const,
              policy: key,
              rule: index,
              kind,
              not,
              value: value.text,
              why,
            },
          ];
        }),
      ),
    ),
  );
}

/** undefined for what something fits, or what only a connection can tell. */
function unfitOf(kind: Kind, value: Value, known: Known): Unfit | undefined {
  return UNFIT[kind]?.(value, known);
}

const UNFIT: Partial<Record<Kind, (value: Value, known: Known) => Unfit | undefined>> = {
  principals: (value, known) => {
    if (value.type !== 'text' || value.match === 'Presence') return undefined;
    if (value.match === 'Exact' ? known.principals.has(value.rest) : someFits(value, known.principals)) {
      return undefined;
    }
    if (value.rest.startsWith('spiffe:')) return 'scheme';
    const [domain, ...path] = value.rest.split('/');
    const isWhole = value.match === 'Exact' || (value.match === 'Prefix' && path.length > 0);
    if (isWhole && domain !== undefined && !known.trustDomains.has(domain)) return 'trustDomain';
    return value.match === 'Exact' ? 'account' : 'nobody';
  },
  serviceAccounts: (value, known) =>
    value.type === 'account' && !known.accounts.has(value.text) ? 'account' : undefined,
  namespaces: (value, known) => {
    if (value.type !== 'text' || value.match === 'Presence' || someFits(value, known.namespaces))
      return undefined;
    return 'namespace';
  },
};

function someFits(value: Value, texts: ReadonlySet<string>): boolean {
  for (const text of texts) if (fitsText(value, text)) return true;
  return false;
}

function findAllowsNothing(
  { policy, rules }: ReadPolicy,
  known: Known,
): Extract<PolicyFact, { fact: 'allowsNothing' }>['why'] | undefined {
  if (policy.action !== 'Allow' || policy.dryRun || rules === undefined) return undefined;
  if (rules.length === 0) return 'noRules';
  if (rules.every((rule) => isNever(rule, isEmptyMatch))) return 'emptyMatch';
  const fitsNothing = (match: RuleMatch) =>
    isEmptyMatch(match) || match.conditions.some((condition) => asksForNothing(condition, known));
  return rules.every((rule) => isNever(rule, fitsNothing)) ? 'valueFitsNothing' : undefined;
}

function isNever(rule: Rule, matchIsNever: (match: RuleMatch) => boolean): boolean {
  return rule.some((clause) => clause.length > 0 && clause.every(matchIsNever));
}

/** Wants one of some values, none of which anything fits. */
function asksForNothing({ kind, not, values }: Condition, known: Known): boolean {
  return !not && values.every((value) => unfitOf(kind, value, known) !== undefined);
}

const WHY = {
  scheme: 'principals are compared without spiffe://',
  trustDomain: 'no workload is in its trust domain',
  account: 'no workload runs as it',
  namespace: 'no workload is in it',
  nobody: 'no workload has such an identity',
} satisfies Record<Unfit, string>;

const NOTHING = {
  noRules: 'it has no rules',
  emptyMatch: 'its rules have matches without conditions',
  valueFitsNothing: 'nothing fits the values that its rules ask for',
} satisfies Record<Extract<PolicyFact, { fact: 'allowsNothing' }>['why'], string>;

type FactTexts = {
  readonly [F in PolicyFact['fact']]: (fact: Extract<PolicyFact, { fact: F }>) => string;
};

const TEXTS: FactTexts = {
  valueFitsNothing: ({ policy, kind, not, value, why }) =>
    `${policy}: ${nameOf({ kind, not })} ${value} ${not ? 'excludes nobody' : 'can never match'}: ${WHY[why]}`,
  selectsNothing: ({ policy, workloads }) =>
    workloads === 0
      ? `${policy} selects no workload`
      : `${policy} selects ${plural(workloads, 'workload')}, but ztunnel captures none of them`,
  allowsNothing: ({ policy, workloads, why }) =>
    `${policy} is an ALLOW that allows nothing (${NOTHING[why]}): it refuses every connection to ${plural(workloads, 'workload')}`,
};

/** One sentence, without a full stop. */
export function formatPolicyFact(fact: PolicyFact): string {
  return (TEXTS[fact.fact] as (fact: PolicyFact) => string)(fact);
}
