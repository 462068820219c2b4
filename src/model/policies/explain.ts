// Why a policy matches a connection, or how near it comes: the rule, clause and value that decide, as values and as text.

import {
  type Applying,
  decide,
  decideEnforcing,
  fitsValue,
  holdsCondition,
  holdsMatch,
  holdsRule,
  type PolicyDecision,
} from './evaluate.ts';
import {
  type Clause,
  type Condition,
  isEmptyMatch,
  type Kind,
  nameOf,
  type PolicyConnection,
  type ReadPolicy,
  type Rule,
  type RuleMatch,
  type Truth,
} from './rules.ts';

/** One condition of a rule, and what it makes of the connection. */
export interface ConditionOutcome {
  /** Counted from 0 in the rule. */
  readonly clause: number;
  /** Counted from 0 in the clause. */
  readonly match: number;
  readonly kind: Kind;
  readonly not: boolean;
  /** As people write them. */
  readonly values: readonly string[];
  /** The one that fits; null if none does. */
  readonly value: string | null;
  /** What it is compared with; null where the connection has nothing of the kind, or it is not known. */
  readonly asked: string | null;
  readonly holds: Truth;
}

/** How a policy takes a connection: by the rule that matches, else by the one that comes nearest. */
export interface Explanation {
  /** `namespace/name`. */
  readonly policy: string;
  readonly action: string;
  readonly matches: Truth;
  /** Counted from 0; null for a policy without rules, or whose rules can't be read. */
  readonly rule: number | null;
  /** Of each clause, those of the match that holds or comes nearest. */
  readonly conditions: readonly ConditionOutcome[];
  /** The rule has a clause that can never hold, since its matches have no conditions. */
  readonly never: boolean;
}

/** Why the policies let a connection in, or don't. */
export interface PolicyExplanation {
  readonly decision: PolicyDecision;
  /** Of the policy that decides; undefined where none does. */
  readonly decisive: Explanation | undefined;
  /** Of the ALLOW policy that comes nearest, where some apply and none matches. */
  readonly nearest: Explanation | undefined;
  /** How many ALLOW policies apply. */
  readonly allows: number;
  /** What the policies of a dry run make of the connection; undefined without any. */
  readonly dryRun:
    | { readonly explanations: readonly Explanation[]; readonly decision: PolicyDecision }
    | undefined;
  readonly absent: readonly string[];
}

/** Explains what applies to a workload. */
export function explainPolicies(applying: Applying, connection: PolicyConnection): PolicyExplanation {
  const decision = decide(applying, connection);
  const allows = applying.enforced.filter(({ policy }) => policy.action === 'Allow');
  const explanations = applying.dryRun.map((policy) => explainPolicy(policy, connection));
  return {
    decision,
    decisive: decision.policy && explainPolicy(decision.policy, connection),
    nearest: decision.reason === 'nothingAllows' ? nearestOf(allows, connection) : undefined,
    allows: allows.length,
    dryRun:
      explanations.length === 0
        ? undefined
        : { explanations, decision: decideEnforcing(applying, connection) },
    absent: applying.absent,
  };
}

function nearestOf(policies: readonly ReadPolicy[], connection: PolicyConnection): Explanation | undefined {
  return leastBy(
    policies.map((policy) => explainPolicy(policy, connection)),
    distanceOf,
  );
}

/** How many conditions are in the way; a policy that can never match comes last. */
function distanceOf({ rule, never, conditions }: Explanation): number {
  return rule === null || never ? Number.MAX_SAFE_INTEGER : gapOf(conditions.map(({ holds }) => holds));
}

/** How far from holding: the conditions in the way, and of as many, the fewer of those that hold, the farther. */
function gapOf(conditions: readonly Truth[]): number {
  const failing = conditions.filter((holds) => holds !== true).length;
  return failing + 1 / (1 + conditions.length - failing);
}

/** Explains one policy. */
export function explainPolicy(policy: ReadPolicy, connection: PolicyConnection): Explanation {
  const { key, rules } = policy;
  const common = { policy: key, action: policy.policy.action };
  const outcomes = (rules ?? []).map((rule, index) => explainRule(rule, index, connection));
  const best = leastBy(outcomes, rankOf);
  if (best !== undefined) return { ...common, ...best };
  return { ...common, matches: rules && false, rule: null, conditions: [], never: rules !== undefined };
}

type RuleOutcome = Omit<Explanation, 'policy' | 'action'>;

function explainRule(rule: Rule, index: number, connection: PolicyConnection): RuleOutcome {
  const chosen = rule.map((clause) => chooseMatch(clause, connection));
  return {
    matches: holdsRule(rule, connection),
    rule: index,
    conditions: chosen.flatMap((each, clause) =>
      (each?.match.conditions ?? []).map((condition) => ({
        clause,
        match: each!.index,
        ...outcomeOf(condition, connection),
      })),
    ),
    never: chosen.some((each) => each !== undefined && isEmptyMatch(each.match)),
  };
}

/** What matches, then what can't be told, then the nearest. */
function rankOf({ matches, never, conditions }: RuleOutcome): number {
  if (matches === true) return -2;
  if (matches === undefined) return -1;
  return never ? Number.MAX_SAFE_INTEGER : gapOf(conditions.map(({ holds }) => holds));
}

interface ChosenMatch {
  readonly match: RuleMatch;
  readonly index: number;
}

/** The match that holds, else the one with the fewest conditions in the way; undefined for an empty clause. */
function chooseMatch(clause: Clause, connection: PolicyConnection): ChosenMatch | undefined {
  return leastBy(
    clause.map((match, index) => ({ match, index })),
    ({ match }) => {
      const truth = holdsMatch(match, connection);
      if (truth !== false) return truth === true ? -2 : -1;
      if (isEmptyMatch(match)) return Number.MAX_SAFE_INTEGER;
      return gapOf(match.conditions.map((condition) => holdsCondition(condition, connection)));
    },
  );
}

/** The first of those with the least. */
function leastBy<T>(elements: readonly T[], measure: (element: T) => number): T | undefined {
  let best: { readonly element: T; readonly size: number } | undefined;
  for (const element of elements) {
    const size = measure(element);
    if (best === undefined || size < best.size) best = { element, size };
  }
  return best?.element;
}

function outcomeOf(
  condition: Condition,
  connection: PolicyConnection,
): Omit<ConditionOutcome, 'clause' | 'match'> {
  const { kind, not, values } = condition;
  return {
    kind,
    not,
    values: values.map(({ text }) => text),
    value: values.find((value) => fitsValue(kind, value, connection) === true)?.text ?? null,
    asked: ASKED[kind](connection),
    holds: holdsCondition(condition, connection),
  };
}

const ASKED = {
  namespaces: ({ caller }) => caller?.namespace ?? null,
  principals: ({ caller }) => caller?.principal ?? null,
  serviceAccounts: ({ caller }) => (caller ? `${caller.namespace}/${caller.serviceAccount}` : null),
  sourceIps: ({ source }) => source?.text ?? null,
  destinationIps: ({ destination }) => destination?.text ?? null,
  destinationPorts: ({ port }) => port?.toString() ?? null,
} satisfies Record<Kind, (connection: PolicyConnection) => string | null>;

/** What it is compared with, in words; `null` is what plain text has of an identity, or an unknown address. */
const ANSWERS = {
  namespaces: (asked) => (asked === null ? 'you have no identity' : `you are in ${asked}`),
  principals: (asked) => (asked === null ? 'you have no identity' : `you are ${asked}`),
  serviceAccounts: (asked) => (asked === null ? 'you have no identity' : `you are ${asked}`),
  sourceIps: (asked) => (asked === null ? 'your address is not known' : `you are at ${asked}`),
  destinationIps: (asked) => (asked === null ? 'its address is not known' : `it is at ${asked}`),
  destinationPorts: (asked) => (asked === null ? 'you asked for no port' : `you asked for ${asked}`),
} satisfies Record<Kind, (asked: string | null) => string>;

const MOST_VALUES = 3;

/** `destinationPorts 8080`; of many values, some. */
function formatCondition({ kind, not, values, value }: ConditionOutcome): string {
  const shown = not || value === null ? values : [value];
  const more = shown.length > MOST_VALUES ? ` and ${shown.length - MOST_VALUES} more` : '';
  return `${nameOf({ kind, not })} ${shown.slice(0, MOST_VALUES).join(', ')}${more}`;
}

/**
 * What a policy makes of the connection, to be read after its name: `matches: destinationPorts 8080`, `wants principals
 * cluster.local/ns/ops/sa/admin`, `all but destinationPorts 9090: you asked for 8080`.
 */
export function formatExplanation({ matches, rule, conditions, never }: Explanation): string {
  if (rule === null)
    return never ? 'has no rules, so that it never matches' : 'has rules that can not be read';
  if (matches === true) {
    if (conditions.length === 0) return 'matches every connection';
    return `matches: ${conditions.map(formatCondition).join(', ')}`;
  }
  if (matches === undefined) {
    const open = conditions.filter(({ holds }) => holds === undefined).map(formatCondition);
    return open.length === 0 ? 'compares what is not known here' : `is unknown: ${open.join(', ')}`;
  }
  if (never) return 'has a match without conditions, which never holds';
  const failing = conditions.filter(({ holds }) => holds !== true);
  const [first] = failing;
  if (first === undefined) return 'never matches';
  const wanted = failing.map(formatCondition).join(', ');
  // Of several that fail, the first says enough of the connection.
  return failing.length < conditions.length
    ? `all but ${wanted}: ${ANSWERS[first.kind](first.asked)}`
    : `wants ${wanted}`;
}

/** The policy that decides and why, as one phrase. */
export function formatPolicies({ decision, decisive, nearest, allows }: PolicyExplanation): string {
  if (decision.reason === 'nothingAgainst') return 'no ALLOW policy applies, and no DENY matches';
  if (decision.reason === 'nothingAllows') {
    const none = `no ALLOW policy of ${allows} matches`;
    if (nearest === undefined) return none;
    const subject = allows === 1 ? nearest.policy : `the nearest, ${nearest.policy},`;
    return `${none}${allows === 1 ? ':' : ';'} ${subject} ${formatExplanation(nearest)}`;
  }
  if (decisive === undefined) return 'is unknown';
  return `${decisive.action.toUpperCase()} ${decisive.policy} ${formatExplanation(decisive)}`;
}

/** What enforcing the policies of a dry run would change; undefined for nothing. */
export function formatDryRun({ decision, dryRun }: PolicyExplanation): string | undefined {
  if (dryRun === undefined) return undefined;
  const matching = dryRun.explanations.filter(({ matches }) => matches === true);
  const names = (matching.length === 0 ? dryRun.explanations : matching)
    .map(({ policy }) => policy)
    .join(', ');
  if (dryRun.decision.allowed === decision.allowed) return undefined;
  if (dryRun.decision.allowed === undefined) return `whether ${names} (dry run) would refuse it is unknown`;
  return `${names} (dry run) would ${dryRun.decision.allowed ? 'allow' : 'refuse'} it`;
}
