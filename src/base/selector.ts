// Which labels a label selector of kubectl's grammar matches.

import { UsageError } from './errors.ts';

/** One requirement; all of a selector's must hold. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}
export type Selector = readonly Requirement[];
export type Labels = Readonly<Record<string, string>>;

type Operator = keyof typeof MATCHES;

/** Whether a label's value (undefined: no such label) meets the operator's values. */
const MATCHES = {
  in: (value: string | undefined, values: readonly string[]) => value !== undefined && values.includes(value),
  // As in Kubernetes, an absent label is "not in" any set.
  notin: (value: string | undefined, values: readonly string[]) =>
    value === undefined || !values.includes(value),
  exists: (value: string | undefined) => value !== undefined,
  '!exists': (value: string | undefined) => value === undefined,
  '>': (value: string | undefined, [bound]: readonly string[]) =>
    isInteger(value) && BigInt(value) > BigInt(bound!),
  '<': (value: string | undefined, [bound]: readonly string[]) =>
    isInteger(value) && BigInt(value) < BigInt(bound!),
} as const;

function isInteger(value: string | undefined): value is string {
  return value !== undefined && /^-?\d{1,19}$/.test(value);
}

/** True if the labels meet every requirement; an empty selector matches everything. */
export function matchesSelector(selector: Selector, labels: Labels | undefined): boolean {
  return selector.every(({ key, operator, values }) =>
    MATCHES[operator](labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined, values),
  );
}

/** Reads a selector as kubectl's `-l` takes it. Throws UsageError. */
export function parseSelector(text: string): Selector {
  const tokens = text.match(TOKEN) ?? [];
  const requirements: Requirement[] = [];
  let at = 0;
  while (at < tokens.length) {
    const [requirement, next] = readRequirement(tokens, at, text);
    requirements.push(requirement);
    if (next < tokens.length && tokens[next] !== ',')
      throw bad(text, `"${tokens[next]}" is not expected here`);
    if (next === tokens.length - 1) throw bad(text, 'it ends with a comma');
    at = next + 1;
  }
  return requirements;
}

/** Operators and punctuation, or a run of anything else but space. */
const TOKEN = /==|!=|[=!(),<>]|[^\s=!(),<>]+/g;
const PUNCTUATION = /^(?:==|!=|[=!(),<>])$/;

/** The requirement that begins at a token, and where the next one may begin. */
function readRequirement(
  tokens: readonly string[],
  at: number,
  text: string,
): readonly [requirement: Requirement, next: number] {
  const negated = tokens[at] === '!';
  const key = readWord(tokens, negated ? at + 1 : at, text);
  checkKey(key, text);
  if (negated) return [{ key, operator: '!exists', values: [] }, at + 2];
  const operator = tokens[at + 1];
  if (operator === undefined || operator === ',') return [{ key, operator: 'exists', values: [] }, at + 1];
  if (operator === 'in' || operator === 'notin') {
    const [values, next] = readSet(tokens, at + 2, text);
    return [{ key, operator, values }, next];
  }
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) throw bad(text, `"${operator}" is no operator`);
  const [value, next] = readValue(tokens, at + 2, text);
  if ((comparison === '>' || comparison === '<') && !isInteger(value))
    throw bad(text, `"${value}" is no integer`);
  return [{ key, operator: comparison, values: [value] }, next];
}

const COMPARISONS: Readonly<Record<string, Operator | undefined>> = {
  __proto__: null as never,
  '=': 'in',
  '==': 'in',
  '!=': 'notin',
  '>': '>',
  '<': '<',
};

function readWord(tokens: readonly string[], at: number, text: string): string {
  const token = tokens[at];
  if (token === undefined) throw bad(text, 'it ends where a label name is expected');
  if (PUNCTUATION.test(token)) throw bad(text, `"${token}" stands where a label name is expected`);
  return token;
}

/** A value may be empty: `key=` and `key in (a,)` mean the empty text. */
function readValue(
  tokens: readonly string[],
  at: number,
  text: string,
): readonly [value: string, next: number] {
  const token = tokens[at];
  if (token === undefined || token === ',' || token === ')') return ['', at];
  if (PUNCTUATION.test(token)) throw bad(text, `"${token}" stands where a value is expected`);
  checkValue(token, text);
  return [token, at + 1];
}

function readSet(
  tokens: readonly string[],
  at: number,
  text: string,
): readonly [values: readonly string[], next: number] {
  if (tokens[at] !== '(') throw bad(text, 'a set must be written (a, b)');
  if (tokens[at + 1] === ')') throw bad(text, 'a set must not be empty');
  const values: string[] = [];
  for (let next = at; next < tokens.length && (next === at || tokens[next] === ','); ) {
    const [value, after] = readValue(tokens, next + 1, text);
    values.push(value);
    if (tokens[after] === ')') return [values, after + 1];
    next = after;
  }
  throw bad(text, 'a set is not closed with )');
}

const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

function checkKey(key: string, text: string): void {
  const parts = key.split('/');
  const valid =
    parts.length <= 2 && NAME.test(parts.at(-1)!) && (parts.length === 1 || PREFIX.test(parts[0]!));
  if (!valid) throw bad(text, `"${key}" is no label name`);
}

function checkValue(value: string, text: string): void {
  if (!NAME.test(value)) throw bad(text, `"${value}" is no label value`);
}

function bad(text: string, why: string): UsageError {
  return new UsageError(
    `the label selector "${text}" can't be read: ${why}`,
    'Write it as for kubectl: app=web,tier!=cache, "env in (a,b)", partition, "!canary".',
  );
}
