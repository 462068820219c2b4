// A second, naive evaluation of ztunnel's policies, straight from the table of what each kind is compared with.

import type { Policy } from '../../../src/model/dump.ts';

export interface PlainConnection {
  /** undefined for plain text. */
  readonly identity: string | undefined;
  readonly source: string;
  readonly destination: string;
  readonly port: number;
}

export interface PlainWorkload {
  readonly namespace: string;
  readonly policies: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the JSON of a policy, whose shape the tests make
type Any = any;

/** Whether the connection is let in: DENY first, then ALLOW, if any applies. */
export function letsIn(
  policies: readonly Policy[],
  workload: PlainWorkload,
  connection: PlainConnection,
): boolean {
  let allows = 0;
  let allowed = 0;
  for (const policy of policies) {
    const name = `${policy.namespace}/${policy.name}`;
    const applies =
      policy.scope === 'Global' ||
      (policy.scope === 'Namespace' && policy.namespace === workload.namespace) ||
      workload.policies.includes(name);
    if (!applies || policy.dryRun) continue;
    const matches = (policy.rules as Any[]).some((rule) =>
      rule.every((clause: Any[]) => clause.length === 0 || clause.some((match) => fits(match, connection))),
    );
    if (policy.action === 'Deny' && matches) return false;
    if (policy.action === 'Allow') allows += 1;
    if (policy.action === 'Allow' && matches) allowed += 1;
  }
  return allows === 0 || allowed > 0;
}

function fits(match: Any, { identity, source, destination, port }: PlainConnection): boolean {
  const parts = identity === undefined ? undefined : identity.replace('spiffe://', '').split('/');
  const namespace = parts === undefined ? '' : parts[2]!;
  const account = parts?.[4];
  const lists: [string, (value: Any) => boolean][] = [
    ['namespaces', (value) => same(value, namespace)],
    ['principals', (value) => parts !== undefined && same(value, parts.join('/'))],
    ['serviceAccounts', (value) => value.namespace === namespace && value.serviceAccount === account],
    ['sourceIps', (value) => within(value, source)],
    ['destinationIps', (value) => within(value, destination)],
    ['destinationPorts', (value) => value === port],
  ];
  let conditions = 0;
  for (const [kind, test] of lists) {
    const wanted: Any[] = match[kind] ?? [];
    const excluded: Any[] = match[`not${kind.charAt(0).toUpperCase()}${kind.slice(1)}`] ?? [];
    conditions += wanted.length + excluded.length;
    if (wanted.length > 0 && !wanted.some(test)) return false;
    if (excluded.some(test)) return false;
  }
  return conditions > 0;
}

function same(value: Any, text: string): boolean {
  if ('Exact' in value) return text === value.Exact;
  if ('Prefix' in value) return text.slice(0, value.Prefix.length) === value.Prefix;
  if ('Suffix' in value) return text.slice(Math.max(0, text.length - value.Suffix.length)) === value.Suffix;
  return text.length > 0;
}

/** By the bits, written out. */
function within(range: string, address: string): boolean {
  const [base, length] = range.split('/') as [string, string];
  const [a, b] = [bits(base), bits(address)];
  return a.length === b.length && a.slice(0, Number(length)) === b.slice(0, Number(length));
}

function bits(address: string): string {
  if (!address.includes(':')) {
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  }
  const [head, tail] = address.split('::') as [string, string | undefined];
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [
    ...groups(head),
    ...Array<string>(tail === undefined ? 0 : missing).fill('0'),
    ...groups(tail),
  ];
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}
