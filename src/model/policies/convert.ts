// What istiod makes of an AuthorizationPolicy for ztunnel, and what it leaves out of it.

import ipaddr from 'ipaddr.js';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Policy } from '../dump.ts';
import { parseRange } from './addresses.ts';
import type { AuthorizationPolicy, Labels, Lists, PolicyRef, RuleSpec, WhenSpec } from './istioobjects.ts';
import { isEmptyMatch, readPolicy } from './rules.ts';

/** How the mesh's istiod is set. */
export interface ConversionOptions {
  /** Whose policies hold everywhere; `istio-system` by default. */
  readonly rootNamespace: string;
  /** AMBIENT_ENABLE_DRY_RUN_AUTHORIZATION_POLICY: without it, policies of a dry run are not passed on. */
  readonly passesDryRun: boolean;
}

/** A policy as ztunnel gets it. */
export interface ConvertedPolicy {
  readonly policy: Policy;
  /** Labels of the workloads that name it, if its scope is WorkloadSelector; undefined: none does. */
  readonly selector: Labels | undefined;
  readonly source: PolicyRef;
}

export type NoteEffect =
  /** ztunnel does not get the policy. */
  | 'notPassedOn'
  /** ztunnel does not get the rule. */
  | 'ruleDropped'
  /** ztunnel gets the rule without a part of it. */
  | 'partLeftOut'
  /** What is left of the rule never matches. */
  | 'neverMatches'
  /** What is left of an ALLOW allows nothing. */
  | 'refusesEverything'
  /** The policy changes nothing. */
  | 'noEffect'
  /** Istio's validation refuses it, where its webhook is in place. */
  | 'invalid'
  /** The API server refuses the field, or drops it. */
  | 'unknownField';

/** What becomes otherwise than the policy's author wrote it. */
export interface ConversionNote {
  readonly source: PolicyRef;
  /** Counted from 0; null for what is about the whole policy. */
  readonly rule: number | null;
  readonly effect: NoteEffect;
  /** One sentence in the author's words, without a full stop. */
  readonly text: string;
}

export interface Conversion {
  readonly converted: readonly ConvertedPolicy[];
  readonly notes: readonly ConversionNote[];
}

/** Converts one. */
export function convertAuthorizationPolicy(
  object: AuthorizationPolicy,
  { rootNamespace, passesDryRun }: ConversionOptions,
): Conversion {
  const { namespace, name, action, hasSelector, selector } = object;
  const source: PolicyRef = { kind: object.kind, namespace, name };
  const note = (effect: NoteEffect, text: string, rule: number | null = null): ConversionNote => {
    return { source, rule, effect, text };
  };
  const dryRun = TRUE.has(object.dryRun);
  const unsent = findUnsent(object, dryRun && !passesDryRun);
  if (unsent !== undefined) return { converted: [], notes: [note('notPassedOn', unsent)] };
  const rules = (object.rules ?? []).map((rule) => convertRule(rule, object));
  const policy: Policy = {
    name,
    namespace,
    action: ACTIONS.get(action)!,
    scope: hasSelector ? 'WorkloadSelector' : namespace === rootNamespace ? 'Global' : 'Namespace',
    dryRun,
    rules: rules.flatMap(({ clauses }) => (clauses === undefined ? [] : [clauses])),
    raw: undefined,
  };
  return {
    converted: [{ policy, selector, source }],
    notes: [
      ...findInvalid(object).map(([rule, text]) => note('invalid', text, rule)),
      ...rules.flatMap(({ notes }, index) => notes.map(([effect, text]) => note(effect, text, index))),
      ...findWhole(
        object,
        policy,
        rules.some(({ notes }) => notes.length > 0),
      ).map(([effect, text]) => note(effect, text)),
    ],
  };
}

const ACTIONS: ReadonlyMap<string, string> = new Map([
  ['ALLOW', 'Allow'],
  ['DENY', 'Deny'],
]);

/** What Go takes for true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

function findUnsent({ action, hasTargets }: AuthorizationPolicy, isHeldBack: boolean): string | undefined {
  if (isHeldBack) {
    return 'annotation istio.io/dry-run: istiod passes such policies on to ztunnel only with AMBIENT_ENABLE_DRY_RUN_AUTHORIZATION_POLICY';
  }
  if (hasTargets) return 'targetRefs: the waypoint that they name enforces it, ztunnel does not get it';
  if (!ACTIONS.has(action)) return `action ${action}: ztunnel has no such action and does not get it`;
  return undefined;
}

type RuleNote = readonly [effect: NoteEffect, text: string];

interface ConvertedRule {
  /** undefined for a rule that is dropped. */
  readonly clauses: Json[] | undefined;
  readonly notes: readonly RuleNote[];
}

const WAYPOINT = 'put it on a waypoint (targetRefs)';

/** All of `to` make one clause, all of `from` one, and each `when` one of its own. */
function convertRule(
  { from, to, when }: RuleSpec,
  { action, namespace }: AuthorizationPolicy,
): ConvertedRule {
  const lists = [...(to ?? []), ...(from ?? [])].map((each) => each ?? {});
  const http = [
    ...lists.flatMap((each) => formatLists(each, HTTP_FIELDS)),
    ...when.filter(({ key }) => !WHEN_KEYS.has(key)).map(({ key }) => `when ${key}`),
  ];
  const clauses: JsonObject[][] = [
    ...(to?.length ? [to.map((operation) => convertLists(operation ?? {}, OPERATION, namespace))] : []),
    ...(from?.length ? [from.map((source) => convertLists(source ?? {}, SOURCE, namespace))] : []),
    ...when.map((condition) => [convertWhen(condition, namespace)]),
  ];
  const unheeded = lists.flatMap((each) => formatLists(each, UNHEEDED_FIELDS));
  const lostNotes: readonly RuleNote[] = [
    ...listLost(lists, when).map((text) => ['partLeftOut', `${text} is left out`] as const),
    ...unheeded.map((text) => ['partLeftOut', `${text} is left out: ztunnel does not compare it`] as const),
  ];
  if (http.length === 0) return { clauses, notes: [...lostNotes, ...neverNotes(clauses)] };
  const what = `${http.join('; ')} is ${when.every(isHttp) ? 'HTTP' : 'nothing that ztunnel compares'}`;
  if (action === 'ALLOW') {
    return { clauses: undefined, notes: [['ruleDropped', `${what}: ztunnel drops this rule; ${WAYPOINT}`]] };
  }
  const never = neverNotes(clauses);
  const rest =
    never.length > 0 ? 'nothing of the rule is left that could match' : 'the rule denies more than it says';
  return {
    clauses,
    notes: [...lostNotes, ['partLeftOut', `${what} and left out: ${rest}; ${WAYPOINT}`], ...never],
  };
}

/** Keys that are neither, as `connection.sni`, belong to TLS or to Envoy. */
function isHttp({ key }: WhenSpec): boolean {
  return WHEN_KEYS.has(key) || key.startsWith('request.') || key === 'remote.ip';
}

/** Of a clause with only empty matches. */
function neverNotes(clauses: readonly (readonly JsonObject[])[]): readonly RuleNote[] {
  const isNever = clauses.some((clause) => clause.every((match) => Object.keys(match).length === 0));
  return isNever ? [['neverMatches', 'what is left of the rule never matches']] : [];
}

/** ztunnel's kinds by the fields that become them. */
type FieldTable = ReadonlyMap<string, { readonly kind: string; readonly convert: Converter }>;
type Converter = (values: readonly string[], namespace: string) => readonly Json[];

const OPERATION: FieldTable = new Map([
  ['ports', { kind: 'destinationPorts', convert: convertPorts }],
  ['notPorts', { kind: 'notDestinationPorts', convert: convertPorts }],
]);

const SOURCE: FieldTable = new Map([
  ['ipBlocks', { kind: 'sourceIps', convert: convertRanges }],
  ['notIpBlocks', { kind: 'notSourceIps', convert: convertRanges }],
  ['namespaces', { kind: 'namespaces', convert: convertTexts }],
  ['notNamespaces', { kind: 'notNamespaces', convert: convertTexts }],
  ['serviceAccounts', { kind: 'serviceAccounts', convert: convertAccounts }],
  ['notServiceAccounts', { kind: 'notServiceAccounts', convert: convertAccounts }],
  ['principals', { kind: 'principals', convert: convertTexts }],
  ['notPrincipals', { kind: 'notPrincipals', convert: convertTexts }],
]);

const HTTP_FIELDS: readonly string[] = [
  ...['hosts', 'notHosts', 'methods', 'notMethods', 'paths', 'notPaths'],
  ...['remoteIpBlocks', 'notRemoteIpBlocks', 'requestPrincipals', 'notRequestPrincipals'],
];
/** istiod leaves them out of what it passes on, without a word. */
const UNHEEDED_FIELDS: readonly string[] = ['trustDomains', 'notTrustDomains'];

/** The keys of `when` that need no HTTP. */
const WHEN_KEYS: ReadonlyMap<string, { readonly kind: string; readonly convert: Converter }> = new Map([
  ['source.namespace', { kind: 'namespaces', convert: convertTexts }],
  ['source.principal', { kind: 'principals', convert: convertTexts }],
  ['source.ip', { kind: 'sourceIps', convert: convertRanges }],
  ['destination.port', { kind: 'destinationPorts', convert: convertPorts }],
  ['destination.ip', { kind: 'destinationIps', convert: convertRanges }],
]);

/** One match; what is empty is left out of it. */
function convertLists(lists: Lists, fields: FieldTable, namespace: string): JsonObject {
  return Object.fromEntries(
    Object.entries(lists).flatMap(([field, values]) => {
      const target = fields.get(field);
      const converted = target?.convert(values, namespace) ?? [];
      return target === undefined || converted.length === 0 ? [] : [[target.kind, converted]];
    }),
  );
}

function convertWhen({ key, lists }: WhenSpec, namespace: string): JsonObject {
  const target = WHEN_KEYS.get(key);
  if (target === undefined) return {};
  const { kind, convert } = target;
  const not = `not${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  return convertLists(
    lists,
    new Map([
      ['values', { kind, convert }],
      ['notValues', { kind: not, convert }],
    ]),
    namespace,
  );
}

function convertTexts(values: readonly string[]): readonly Json[] {
  return values.map((value) => {
    if (value === '*') return { Presence: [] };
    if (value.startsWith('*')) return { Suffix: value.slice(1) };
    return value.endsWith('*') ? { Prefix: value.slice(0, -1) } : { Exact: value };
  });
}

/** Without a slash, of the policy's own namespace. */
function convertAccounts(values: readonly string[], namespace: string): readonly Json[] {
  return values.map((value) => {
    const slash = value.indexOf('/');
    return slash === -1
      ? { namespace, serviceAccount: value }
      : { namespace: value.slice(0, slash), serviceAccount: value.slice(slash + 1) };
  });
}

/** What is no number between 0 and 65535 falls out. */
function convertPorts(values: readonly string[]): readonly Json[] {
  return values.filter(isPort).map(Number);
}

function isPort(text: string): boolean {
  return /^\d{1,20}$/.test(text) && Number(text) <= 65_535;
}

/** What is no address and no range falls out. Addresses become ranges of their own. */
function convertRanges(values: readonly string[]): readonly Json[] {
  return values.flatMap((value) => {
    const range = parseRange(value);
    return range === undefined ? [] : [`${formatAddress(range.bytes)}/${range.length}`];
  });
}

/** As ztunnel writes it: an IPv4 address in IPv6 form keeps its dots. */
function formatAddress(bytes: readonly number[]): string {
  const address = ipaddr.fromByteArray([...bytes]);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? `::ffff:${address.toIPv4Address().toString()}` : address.toString();
}

/** Values that fall out, each in the author's words. */
function listLost(lists: readonly Lists[], when: readonly WhenSpec[]): readonly string[] {
  const lose = (field: string, values: readonly string[], convert: Converter | undefined) =>
    values
      .filter((value) => convert !== undefined && convert([value], '').length === 0)
      .map(
        (value) =>
          `${field}: ${value === '' ? '""' : value}, which is no ${convert === convertPorts ? 'port number' : 'address or range'},`,
      );
  return [
    ...lists.flatMap((each) =>
      Object.entries(each).flatMap(([field, values]) =>
        lose(field, values, (OPERATION.get(field) ?? SOURCE.get(field))?.convert),
      ),
    ),
    ...when.flatMap(({ key, lists: both }) =>
      Object.values(both).flatMap((values) => lose(`when ${key}`, values, WHEN_KEYS.get(key)?.convert)),
    ),
  ];
}

const MOST_VALUES = 5;

/** `methods: GET, POST` for each of the fields that is there. */
function formatLists(lists: Lists, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => {
    const values = lists[field] ?? [];
    if (values.length === 0) return [];
    const more = values.length > MOST_VALUES ? ', …' : '';
    return [`${field}: ${values.slice(0, MOST_VALUES).join(', ')}${more}`];
  });
}

/** What becomes of the policy as a whole. */
function findWhole(object: AuthorizationPolicy, policy: Policy, isChanged: boolean): readonly RuleNote[] {
  const notes: RuleNote[] = [];
  if (object.hasSelector && object.selector === undefined) {
    notes.push(['noEffect', 'selector: without matchLabels it selects no workload']);
  }
  const canMatch = readPolicy(policy).rules!.some((rule) =>
    rule.every((clause) => clause.length === 0 || !clause.every(isEmptyMatch)),
  );
  if (canMatch) return notes;
  if (policy.action === 'Allow') {
    const why = isChanged ? 'no rule that ztunnel could match is left' : 'it has no rules that could match';
    notes.push(['refusesEverything', `${why}: this ALLOW refuses every connection to what it selects`]);
  } else {
    const why = isChanged ? 'no rule that ztunnel could match is left' : 'it has no rules that could match';
    notes.push(['noEffect', `${why}: this DENY refuses nothing`]);
  }
  return notes;
}

/** What Istio's webhook says no to. */
function findInvalid({ action, rules }: AuthorizationPolicy): readonly (readonly [number | null, string])[] {
  if (rules === undefined) {
    return action === 'DENY' ? [[null, "a DENY without rules: Istio's validation refuses it"]] : [];
  }
  return rules.flatMap((rule, index) =>
    listInvalid(rule).map((what) => [index, `${what}: Istio's validation refuses it`] as const),
  );
}

function listInvalid({ from, to, when }: RuleSpec): readonly string[] {
  const isEmpty = (lists: Lists | undefined) =>
    lists === undefined || Object.values(lists).every((values) => values.length === 0);
  const has = (lists: Lists | undefined, ...fields: readonly string[]) =>
    fields.some((field) => (lists?.[field] ?? []).length > 0);
  const values = [...(from ?? []), ...(to ?? []), ...when.map(({ lists }) => lists)];
  return [
    ...(from?.length === 0 ? ['an empty from'] : []),
    ...(to?.length === 0 ? ['an empty to'] : []),
    ...(from?.some(isEmpty) ? ['a source without fields'] : []),
    ...(to?.some(isEmpty) ? ['an operation without fields'] : []),
    ...(when.some(({ key }) => key === '') ? ['a when without a key'] : []),
    ...(when.some(({ lists }) => isEmpty(lists)) ? ['a when without values'] : []),
    ...(values.some((lists) =>
      Object.values(lists ?? {})
        .flat()
        .includes(''),
    )
      ? ['an empty value']
      : []),
    ...(from?.some(
      (source) =>
        has(source, 'serviceAccounts', 'notServiceAccounts') &&
        has(source, 'principals', 'notPrincipals', 'namespaces', 'notNamespaces'),
    )
      ? ['serviceAccounts beside principals or namespaces']
      : []),
    ...(listLost(
      [...(from ?? []), ...(to ?? [])].map((each) => each ?? {}),
      when,
    ).length > 0
      ? ['a port or address that is none']
      : []),
  ];
}
