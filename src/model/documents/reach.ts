// How ways, and who reaches what, are written as JSON: which keys, in which order.

import type { Json, JsonObject } from '../../base/json.ts';
import type { Service, Workload } from '../dump.ts';
import type { Explanation, PolicyExplanation } from '../policies/explain.ts';
import type { MatrixAnswer } from '../reach/ask.ts';
import type { ReachFact } from '../reach/facts.ts';
import { formatFact } from '../reach/facttexts.ts';
import type { ReachSummary } from '../reach/fold.ts';
import type { Step } from '../reach/inbound.ts';
import type { Route } from '../reach/route.ts';
import type { ReachSource } from '../reach/start.ts';
import type { Destination } from '../reach/targets.ts';

/** An item of a ReachRouteList. */
export function routeDocument(route: Route): JsonObject {
  const { source, target, endpoint, outcome, decisive, steps, notes } = route;
  return {
    source: sourceDocument(source),
    target: target === undefined ? null : { address: target.address.text, port: target.port ?? null },
    endpoint: endpoint === undefined ? null : endOfWorkload(endpoint),
    outcome,
    decidedBy: decisive?.step ?? null,
    steps: steps.map(stepDocument),
    notes: notes.map(factDocument),
  };
}

/** An item of a ReachPairList. */
export function pairDocument(
  sources: readonly Workload[],
  { destination, port, cell }: MatrixAnswer,
  decisive: Step | undefined,
): JsonObject {
  return {
    sources: sources.map(endOfWorkload),
    destination: destinationDocument(destination),
    port: port ?? null,
    outcome: cell.outcome,
    ways: { total: cell.total, reached: cell.reached, refused: cell.refused, unknown: cell.unknown },
    decisive: decisive === undefined ? null : stepDocument(decisive),
  };
}

export function summaryOfReach(
  { outcome, reached, refused, unknown, total }: ReachSummary,
  { asked, answers }: { readonly asked: number; readonly answers: readonly unknown[] },
): JsonObject {
  return { total, outcome, reached, refused, unknown, ztunnels: { asked, answered: answers.length } };
}

function sourceDocument(source: ReachSource): JsonObject {
  if (source.kind === 'workload') return endOfWorkload(source.workload);
  const [node, address] = source.kind === 'kubelet' ? [source.node, null] : [null, source.address.text];
  return {
    kind: source.kind === 'kubelet' ? 'Kubelet' : 'Address',
    namespace: null,
    name: null,
    node,
    address,
  };
}

function endOfWorkload({ namespace, name, node, addresses }: Workload): JsonObject {
  return { kind: 'Workload', namespace, name, node: node || null, address: addresses[0] ?? null };
}

function destinationDocument(destination: Destination): JsonObject {
  if (destination.kind === 'workload') return endOfWorkload(destination.workload);
  if (destination.kind === 'service') return endOfService(destination.service);
  return { kind: 'Address', namespace: null, name: null, node: null, address: destination.address.text };
}

function endOfService({ namespace, name, vips }: Service): JsonObject {
  return { kind: 'Service', namespace, name, node: null, address: vips[0]?.replace(/^.*\//, '') ?? null };
}

function stepDocument({ step, result, fact }: Step): JsonObject {
  return { step, result, ...factDocument(fact) };
}

/** Its name, how it reads, and what it says. */
function factDocument(fact: ReachFact): JsonObject {
  const { fact: name, ...details } = fact;
  const text = formatFact(fact);
  if (fact.fact === 'policies') return { fact: name, text, details: policiesDocument(fact.explanation) };
  return { fact: name, text, details: details as JsonObject };
}

function policiesDocument(explanation: PolicyExplanation): JsonObject {
  const { decision, decisive, nearest, allows, dryRun, absent } = explanation;
  return {
    reason: decision.reason,
    allowed: decision.allowed ?? null,
    decisive: explanationDocument(decisive),
    nearest: explanationDocument(nearest),
    allows,
    dryRun:
      dryRun === undefined
        ? null
        : {
            allowed: dryRun.decision.allowed ?? null,
            policies: dryRun.explanations.map(explanationDocument),
          },
    absent: [...absent],
  };
}

function explanationDocument(explanation: Explanation | undefined): Json {
  if (explanation === undefined) return null;
  const { policy, action, matches, rule, conditions } = explanation;
  return {
    policy,
    action,
    matches: matches ?? null,
    rule,
    conditions: conditions.map(({ clause, match, kind, not, values, value, asked, holds }) => ({
      clause,
      match,
      kind,
      not,
      values: [...values],
      value,
      asked,
      holds: holds ?? null,
    })),
  };
}
