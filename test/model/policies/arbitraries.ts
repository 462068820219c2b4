// Random policies, as dumps have them, and connections that they often fit.

import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Policy } from '../../../src/model/dump.ts';
import type { PlainConnection, PlainWorkload } from './reference.ts';

const DOMAINS = ['cluster.local', 'old.local'];
const NAMESPACES = ['shop', 'sh', 'data'];
const ACCOUNTS = ['web', 'db'];
const ADDRESSES = ['10.77.0.2', '10.77.0.130', '10.78.0.2', '0.0.0.0', 'fd00::2', 'fd00:0:0:1::2', '::'];
const PORTS = [80, 8080, 9090];

const principal = fc
  .tuple(fc.constantFrom(...DOMAINS), fc.constantFrom(...NAMESPACES), fc.constantFrom(...ACCOUNTS))
  .map(([domain, namespace, account]) => `${domain}/ns/${namespace}/sa/${account}`);

/** A string match that fits one of the texts, or comes near. */
function stringMatch(text: fc.Arbitrary<string>): fc.Arbitrary<JsonObject> {
  const cut = fc.tuple(text, fc.nat(30));
  return fc.oneof(
    text.map((Exact) => ({ Exact })),
    cut.map(([whole, at]) => ({ Prefix: whole.slice(0, at) })),
    cut.map(([whole, at]) => ({ Suffix: whole.slice(at % whole.length) })),
    fc.constant({ Presence: [] }),
    text.map((whole) => ({ Exact: `spiffe://${whole}` })),
  );
}

const range = fc
  .tuple(fc.constantFrom(...ADDRESSES), fc.nat(128))
  .map(([address, length]) => `${address}/${address.includes(':') ? length : length % 33}`);

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  namespaces: stringMatch(fc.constantFrom(...NAMESPACES)),
  principals: stringMatch(principal),
  serviceAccounts: fc.record({
    namespace: fc.constantFrom(...NAMESPACES),
    serviceAccount: fc.constantFrom(...ACCOUNTS),
  }),
  sourceIps: range,
  destinationIps: range,
  destinationPorts: fc.constantFrom(...PORTS),
};

/** Nearly always of one or two kinds: a match of all of them fits nothing. */
const match = fc
  .array(
    fc
      .tuple(fc.constantFrom(...Object.keys(VALUES)), fc.boolean())
      .chain(([kind, not]) =>
        fc
          .array(VALUES[kind]!, { minLength: 0, maxLength: 2 })
          .map((values) => [not ? `not${kind[0]!.toUpperCase()}${kind.slice(1)}` : kind, values] as const),
      ),
    { maxLength: 2 },
  )
  .map((pairs) => Object.fromEntries(pairs) as JsonObject);

const rules = fc.array(fc.array(fc.array(match, { maxLength: 2 }), { maxLength: 2 }), { maxLength: 2 });

const policy: fc.Arbitrary<Policy> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  namespace: fc.constantFrom('shop', 'data', 'istio-system'),
  action: fc.constantFrom('Allow', 'Deny'),
  scope: fc.constantFrom('Global', 'Namespace', 'WorkloadSelector'),
  dryRun: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  rules,
  raw: fc.constant(undefined),
}) as fc.Arbitrary<Policy>;

/** A ztunnel holds one policy of a name. */
export const policies = fc.uniqueArray(policy, {
  maxLength: 4,
  selector: ({ namespace, name }) => `${namespace}/${name}`,
});

export const workloads: fc.Arbitrary<PlainWorkload> = fc.record({
  namespace: fc.constantFrom('shop', 'data'),
  policies: fc.subarray(['shop/a', 'shop/b', 'data/a', 'data/c', 'istio-system/a', 'shop/gone']),
});

export const connections: fc.Arbitrary<PlainConnection> = fc.record({
  identity: fc.option(
    principal.map((text) => `spiffe://${text}`),
    { nil: undefined },
  ),
  source: fc.constantFrom(...ADDRESSES),
  destination: fc.constantFrom(...ADDRESSES),
  port: fc.constantFrom(...PORTS),
});
