// What `check` says of policies as ztunnel has them: values that nothing fits, and policies that allow or select nothing.

import type { Policy, Workload } from '../dump.ts';
import type { Owners } from '../items.ts';
import { findPolicyFacts, formatPolicyFact, type PolicyFact } from '../policies/facts.ts';
import type { Answer } from '../types.ts';
import { type Concerned, type Finder, found, notEvaluated, UNKNOWN_HITS } from './finding.ts';
import type { Situation } from './situation.ts';

/** Facts of one sort, each an object, of the first dump that holds the whole mesh. */
function withFacts(isWanted: (fact: PolicyFact) => boolean): Finder {
  return (situation) => {
    const answer = situation.whole.find(
      ({ dump }) => dump.sections.has('policies') && !dump.config.xdsOnDemand,
    );
    if (answer === undefined) return notEvaluated('without a whole dump');
    return found(
      findPolicyFacts(answer.dump)
        .filter(isWanted)
        .map((fact) => concernPolicy(fact, answer, situation)),
    );
  };
}

export const allowsNothing = withFacts(
  // What nothing fits is a finding of its own.
  (fact) => fact.fact === 'allowsNothing' && fact.why !== 'valueFitsNothing',
);

export const valuesUnmatched = withFacts(({ fact }) => fact === 'valueFitsNothing');

export const selectsNothing = withFacts(({ fact }) => fact === 'selectsNothing');

function concernPolicy(fact: PolicyFact, answer: Answer, situation: Situation): Concerned {
  const at = fact.policy.indexOf('/');
  const namespace = fact.policy.slice(0, at);
  const name = fact.policy.slice(at + 1);
  return {
    kind: 'Policy',
    namespace,
    name,
    node: null,
    ztunnel: null,
    // The object says which policy it is.
    detail: formatPolicyFact(fact).slice(fact.policy.length).replace(/^:? /, ''),
    hits: hitsOf(
      answer.dump.policies.find((policy) => policy.namespace === namespace && policy.name === name),
      answer,
      situation,
    ),
  };
}

function hitsOf(policy: Policy | undefined, { dump }: Answer, situation: Situation): Owners {
  const { inventory } = situation;
  if (policy === undefined || !inventory.pods.known) return UNKNOWN_HITS;
  const names = new Set(
    dump.workloads
      .filter((workload) => isSelected(workload, policy))
      .map((each) => `${each.namespace}/${each.name}`),
  );
  return situation.ownersOf(
    situation.captured.filter(({ metadata }) => names.has(`${metadata.namespace}/${metadata.name}`)),
  );
}

function isSelected({ namespace, authorizationPolicies }: Workload, policy: Policy): boolean {
  if (policy.scope === 'Global') return true;
  return policy.scope === 'Namespace'
    ? namespace === policy.namespace
    : authorizationPolicies.includes(`${policy.namespace}/${policy.name}`);
}
