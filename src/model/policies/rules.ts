// What the rules of a ztunnel's policy ask of a connection, read from the dump's JSON.

import type { Json, JsonObject } from '../../base/json.ts';
import { formatPrincipal, type Identity } from '../certificates/identity.ts';
import type { Policy } from '../dump.ts';
import { type Address, type AddressRange, holdsAddress, parseRange } from './addresses.ts';

/** What policies know of a connection into a workload. */
export interface PolicyConnection {
  /** undefined for plain text, which has no identity. */
  readonly caller: Caller | undefined;
  /** undefined where it is not known. */
  readonly source: Address | undefined;
  /** The workload's own address, also when a service was asked for. */
  readonly destination: Address | undefined;
  /** The workload's own port. */
  readonly port: number;
}

/** Who presents a certificate. */
export interface Caller {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** `td/ns/x/sa/y`. */
  readonly principal: string;
}

export function callerOf(identity: Identity): Caller {
  const { namespace, serviceAccount } = identity;
  return { namespace, serviceAccount, principal: formatPrincipal(identity) };
}

/** Whether something holds; undefined: can't be told. */
export type Truth = boolean | undefined;

export const STRING_MATCHES = ['Exact', 'Prefix', 'Suffix', 'Presence'] as const;
export type StringMatch = (typeof STRING_MATCHES)[number];

/** One value of a list in a match; `text` is how people write it in an AuthorizationPolicy. */
export type Value =
  | { readonly type: 'text'; readonly match: StringMatch; readonly rest: string; readonly text: string }
  | {
      readonly type: 'account';
      readonly namespace: string;
      readonly serviceAccount: string;
      readonly text: string;
    }
  | { readonly type: 'range'; readonly range: AddressRange; readonly text: string }
  | { readonly type: 'port'; readonly port: number; readonly text: string }
  /** What a later ztunnel may send, or a redacted dump has in its place. */
  | { readonly type: 'unreadable'; readonly text: string };

interface KindSpec {
  readonly read: (value: Json) => Value | undefined;
  readonly holds: (value: Value, connection: PolicyConnection) => Truth;
  /** Whether it is about who connects, or about where to. */
  readonly end: 'source' | 'destination';
}

/** What a match can compare. Each has a list of values of which one must fit, and a `not…` list of which none may. */
export const KINDS = {
  namespaces: {
    read: readText,
    // Plain text is compared as ''.
    holds: (value, { caller }) => fitsText(value, caller?.namespace ?? ''),
    end: 'source',
  },
  principals: {
    read: readText,
    holds: (value, { caller }) => caller !== undefined && fitsText(value, caller.principal),
    end: 'source',
  },
  serviceAccounts: {
    read: readAccount,
    holds: (value, { caller }) =>
      caller !== undefined &&
      value.type === 'account' &&
      value.namespace === caller.namespace &&
      value.serviceAccount === caller.serviceAccount,
    end: 'source',
  },
  sourceIps: {
    read: readRange,
    holds: (value, { source }) => fitsRange(value, source),
    end: 'source',
  },
  destinationIps: {
    read: readRange,
    holds: (value, { destination }) => fitsRange(value, destination),
    end: 'destination',
  },
  destinationPorts: {
    read: readPort,
    holds: (value, { port }) => value.type === 'port' && value.port === port,
    end: 'destination',
  },
} as const satisfies Record<string, KindSpec>;
export type Kind = keyof typeof KINDS;

/** One list of a match. */
export interface Condition {
  /** As the dump has it, without its `not`. */
  readonly kind: Kind;
  readonly not: boolean;
  readonly values: readonly Value[];
}

/** Holds if all conditions do; never without one. */
export interface RuleMatch {
  readonly conditions: readonly Condition[];
  /** Names of what is not known to compare; whether the match holds can't be told then. */
  readonly unknown: readonly string[];
}

/** A match without conditions never holds. */
export function isEmptyMatch({ conditions, unknown }: RuleMatch): boolean {
  return conditions.length === 0 && unknown.length === 0;
}

/** Holds if one of its matches does; always without one. */
export type Clause = readonly RuleMatch[];
/** Holds if all of its clauses do; always without one. */
export type Rule = readonly Clause[];

/** A policy whose rules have been read. */
export interface ReadPolicy {
  readonly policy: Policy;
  /** `namespace/name`, as workloads name it. */
  readonly key: string;
  /** Matches if one of them holds; undefined where they can't be read. */
  readonly rules: readonly Rule[] | undefined;
}

export function readPolicy(policy: Policy): ReadPolicy {
  return { policy, key: `${policy.namespace}/${policy.name}`, rules: readRules(policy.rules) };
}

function readRules(rules: Json): readonly Rule[] | undefined {
  return mapAll(rules, (rule) => mapAll(rule, (clause) => mapAll(clause, readMatch)));
}

/** undefined for what is no list, or has an element that can't be read. */
function mapAll<T>(list: Json, read: (element: Json) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const elements = list.flatMap((element: Json) => {
    const value = read(element);
    return value === undefined ? [] : [value];
  });
  return elements.length === list.length ? elements : undefined;
}

const NAMES: ReadonlyMap<string, { readonly kind: Kind; readonly not: boolean }> = new Map(
  (Object.keys(KINDS) as Kind[])
    .flatMap((kind) => [
      { kind, not: false },
      { kind, not: true },
    ])
    .map((each) => [nameOf(each), each] as const),
);

/** `notDestinationPorts`. */
export function nameOf({ kind, not }: Pick<Condition, 'kind' | 'not'>): string {
  return not ? `not${kind[0]!.toUpperCase()}${kind.slice(1)}` : kind;
}

function readMatch(match: Json): RuleMatch | undefined {
  if (typeof match !== 'object' || match === null || Array.isArray(match)) return undefined;
  const conditions: Condition[] = [];
  const unknown: string[] = [];
  for (const [name, values] of Object.entries(match as JsonObject)) {
    // ztunnel leaves out what is empty; some writers of dumps don't.
    if (values === null || (Array.isArray(values) && values.length === 0)) continue;
    const known = NAMES.get(name);
    if (known === undefined || !Array.isArray(values)) unknown.push(name);
    else conditions.push({ ...known, values: values.map((value: Json) => readValue(known.kind, value)) });
  }
  return { conditions, unknown };
}

function readValue(kind: Kind, value: Json): Value {
  return KINDS[kind].read(value) ?? { type: 'unreadable', text: JSON.stringify(value) };
}

const WRITTEN = {
  Exact: (rest) => rest,
  Prefix: (rest) => `${rest}*`,
  Suffix: (rest) => `*${rest}`,
  Presence: () => '*',
} satisfies Record<StringMatch, (rest: string) => string>;

/** `{"Exact": x}`; `{"Presence": []}` is anything but ''. */
function readText(value: Json): Value | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [entry, another] = Object.entries(value as JsonObject);
  const match = STRING_MATCHES.find((each) => each === entry?.[0]);
  if (entry === undefined || another !== undefined || match === undefined) return undefined;
  if (match === 'Presence') return { type: 'text', match, rest: '', text: WRITTEN.Presence() };
  const rest = entry[1];
  return typeof rest === 'string' ? { type: 'text', match, rest, text: WRITTEN[match](rest) } : undefined;
}

const FITS = {
  Exact: (text, rest) => text === rest,
  Prefix: (text, rest) => text.startsWith(rest),
  Suffix: (text, rest) => text.endsWith(rest),
  Presence: (text) => text !== '',
} satisfies Record<StringMatch, (text: string, rest: string) => boolean>;

/** Whether a value of the kinds that compare texts fits this one. */
export function fitsText(value: Value, text: string): boolean {
  return value.type === 'text' && FITS[value.match](text, value.rest);
}

/** The trust domain counts for nothing in it. */
function readAccount(value: Json): Value | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { namespace, serviceAccount } = value as JsonObject;
  if (typeof namespace !== 'string' || typeof serviceAccount !== 'string') return undefined;
  return { type: 'account', namespace, serviceAccount, text: `${namespace}/${serviceAccount}` };
}

function readRange(value: Json): Value | undefined {
  const range = typeof value === 'string' ? parseRange(value) : undefined;
  return range && { type: 'range', range, text: range.text };
}

function fitsRange(value: Value, address: Address | undefined): Truth {
  return address === undefined ? undefined : value.type === 'range' && holdsAddress(value.range, address);
}

function readPort(value: Json): Value | undefined {
  return typeof value === 'number' ? { type: 'port', port: value, text: String(value) } : undefined;
}
