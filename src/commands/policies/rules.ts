// How the rules of an authorization policy are told on one line.

import type { Json } from '../../base/json.ts';

/** Longer rules are for `-o json`. */
const MOST_CHARACTERS = 400;

/**
 * `destination ports 80 or 443 and not namespaces shop; …`. Of rules (`;`) one must hold; of a rule's clauses (`and`)
 * all must; of a clause's matches (`or`) one must, with all its conditions (`,`) met. As ztunnel takes it, a rule or
 * clause without parts holds for `any` connection, a policy without rules and a match without conditions `never`: an
 * ALLOW without rules refuses everything.
 */
export function displayRules(rules: Json): string {
  const text = joined(rules, '; ', 'never', (rule) =>
    joined(rule, ' and ', 'any', (clause) => joined(clause, ' or ', 'any', displayMatch)),
  );
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

/** Each condition lists values, of which one must fit; `notPorts` lists such that must not. */
function displayMatch(match: Json): string {
  if (typeof match !== 'object' || match === null || Array.isArray(match)) return displayValue(match);
  const conditions = Object.entries(match)
    .filter(([, values]) => !Array.isArray(values) || values.length > 0)
    .map(([name, values]) => `${words(name)} ${joined(values ?? null, '|', 'any', displayValue)}`);
  return conditions.length === 0 ? 'never' : conditions.join(', ');
}

function joined(list: Json, separator: string, empty: string, display: (element: Json) => string): string {
  if (!Array.isArray(list)) return displayValue(list);
  return list.length === 0 ? empty : list.map((element) => display(element)).join(separator);
}

/** A string match is an object of one key: `{"Prefix": "spiffe://"}`. */
function displayValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `notDestinationPorts` → `not destination ports`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
