// What an AuthorizationPolicy's own words say, by Istio's documentation, as far as no HTTP is involved.

import type { PlainConnection } from './reference.ts';

export interface YamlLists {
  readonly [field: string]: readonly string[];
}

export interface YamlPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly action: 'ALLOW' | 'DENY';
    readonly selector?: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly rules: readonly {
      readonly from?: readonly { readonly source: YamlLists }[];
      readonly to?: readonly { readonly operation: YamlLists }[];
      readonly when?: readonly ({ readonly key: string } & Partial<
        Record<'values' | 'notValues', readonly string[]>
      >)[];
    }[];
  };
}

export interface YamlWorkload {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

const ROOT = 'istio-system';

/** DENY policies that match refuse; else, if there are ALLOW policies, one of them has to match. */
export function isAllowed(
  policies: readonly YamlPolicy[],
  workload: YamlWorkload,
  connection: PlainConnection,
): boolean {
  const mine = policies.filter((policy) => isFor(policy, workload));
  const matching = (action: string) =>
    mine.filter(({ spec }) => spec.action === action).map((policy) => matches(policy, connection));
  if (matching('DENY').includes(true)) return false;
  return matching('ALLOW').length === 0 || matching('ALLOW').includes(true);
}

function isFor({ metadata, spec }: YamlPolicy, { namespace, labels }: YamlWorkload): boolean {
  if (metadata.namespace !== ROOT && metadata.namespace !== namespace) return false;
  return Object.entries(spec.selector?.matchLabels ?? {}).every(([label, value]) => labels[label] === value);
}

function matches({ metadata, spec }: YamlPolicy, connection: PlainConnection): boolean {
  return spec.rules.some(
    ({ from, to, when }) =>
      (from === undefined || from.some(({ source }) => fitsSource(source, metadata.namespace, connection))) &&
      (to === undefined || to.some(({ operation }) => fitsOperation(operation, connection))) &&
      (when ?? []).every(({ key, values, notValues }) => {
        const test = (value: string) => ATTRIBUTES[key]!(value, connection);
        return (values === undefined || values.some(test)) && !(notValues ?? []).some(test);
      }),
  );
}

function fitsSource(source: YamlLists, namespace: string, connection: PlainConnection): boolean {
  return (
    fitsBoth(source, 'principals', 'notPrincipals', (value) =>
      ATTRIBUTES['source.principal']!(value, connection),
    ) &&
    fitsBoth(source, 'namespaces', 'notNamespaces', (value) =>
      ATTRIBUTES['source.namespace']!(value, connection),
    ) &&
    fitsBoth(source, 'ipBlocks', 'notIpBlocks', (value) => isIn(value, connection.source)) &&
    fitsBoth(source, 'serviceAccounts', 'notServiceAccounts', (value) => {
      const wanted = value.includes('/') ? value : `${namespace}/${value}`;
      const [, , caller, , account] = partsOf(connection);
      return connection.identity !== undefined && wanted === `${caller}/${account}`;
    })
  );
}

function fitsOperation(operation: YamlLists, { port }: PlainConnection): boolean {
  return fitsBoth(operation, 'ports', 'notPorts', (value) => value === String(port));
}

function fitsBoth(lists: YamlLists, field: string, not: string, test: (value: string) => boolean): boolean {
  return (lists[field] === undefined || lists[field].some(test)) && !(lists[not] ?? []).some(test);
}

const ATTRIBUTES: Readonly<Record<string, (value: string, connection: PlainConnection) => boolean>> = {
  'source.principal': (value, connection) =>
    connection.identity !== undefined && like(value, connection.identity.slice('spiffe://'.length)),
  'source.namespace': (value, connection) =>
    connection.identity !== undefined && like(value, partsOf(connection)[2]!),
  'source.ip': (value, { source }) => isIn(value, source),
  'destination.ip': (value, { destination }) => isIn(value, destination),
  'destination.port': (value, { port }) => value === String(port),
};

function partsOf({ identity }: PlainConnection): readonly string[] {
  return (identity ?? '').slice('spiffe://'.length).split('/');
}

/** Exact, prefix*, *suffix, and * for anything that is there. */
function like(pattern: string, text: string): boolean {
  if (pattern === '*') return text !== '';
  const quote = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [, before, middle, after] = /^(\*?)(.*?)(\*?)$/.exec(pattern)!;
  // A star at both ends: the first makes it a suffix, and the last one is a letter of it.
  const body =
    before === '*' ? `.*${quote(middle! + after)}` : `${quote(middle!)}${after === '*' ? '.*' : ''}`;
  return new RegExp(`^${body}$`).test(text);
}

/** IPv4 only, as a number. */
function isIn(block: string, address: string): boolean {
  const [base, length = '32'] = block.split('/') as [string, string | undefined];
  const size = 2 ** (32 - Number(length));
  return Math.floor(numberOf(base) / size) === Math.floor(numberOf(address) / size);
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
