// At random, converting a policy and evaluating what ztunnel gets is what the policy's own words say.

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../src/base/json.ts';
import { parseIdentity } from '../../../src/model/certificates/identity.ts';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { listNamedPolicies } from '../../../src/model/policies/attach.ts';
import { convertAuthorizationPolicy } from '../../../src/model/policies/convert.ts';
import { createPolicyIndex, decide } from '../../../src/model/policies/evaluate.ts';
import { callerOf } from '../../../src/model/policies/rules.ts';
import { connections } from './arbitraries.ts';
import { OPTIONS, readAuthorization } from './objects.ts';
import { isAllowed, type YamlPolicy, type YamlWorkload } from './yamlsemantics.ts';

const names = [
  'cluster.local/ns/shop/sa/web',
  'cluster.local/ns/data/sa/db',
  '*/sa/web',
  'cluster.local/ns/sh*',
  '*',
  'old.local/*',
];
const lists = (fields: Readonly<Record<string, readonly string[]>>) =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(fields)), { minLength: 1, maxLength: 2 })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          chosen.map((field) => [field, fc.subarray([...fields[field]!], { minLength: 1, maxLength: 2 })]),
        ),
      ),
    );
const blocks = ['10.77.0.2', '10.77.0.0/25', '0.0.0.0/0', '10.78.0.0/16'];
const spaces = ['shop', 'sh*', '*a', '*'];
const sources = fc.oneof(
  lists({
    principals: names,
    notPrincipals: names,
    namespaces: spaces,
    notNamespaces: spaces,
    ipBlocks: blocks,
    notIpBlocks: blocks,
  }),
  lists({
    serviceAccounts: ['web', 'shop/web', 'data/db'],
    notServiceAccounts: ['web', 'data/db'],
    ipBlocks: blocks,
  }),
);
const operations = lists({ ports: ['80', '8080', '9090'], notPorts: ['80', '8080'] });
const values: Readonly<Record<string, readonly string[]>> = {
  'source.principal': names,
  'source.namespace': spaces,
  'source.ip': blocks,
  'destination.ip': blocks,
  'destination.port': ['80', '8080'],
};
const whens = fc
  .constantFrom(...Object.keys(values))
  .chain((key) => lists({ values: values[key]!, notValues: values[key]! }).map((both) => ({ key, ...both })));
const some = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 2 });
const yamlPolicy = fc.record({
  metadata: fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('shop', 'data', 'istio-system'),
  }),
  spec: fc.record(
    {
      action: fc.constantFrom('ALLOW', 'DENY'),
      selector: fc.record({
        matchLabels: fc.constantFrom({ app: 'web' }, { app: 'db' }, { app: 'web', tier: 'a' }),
      }),
      rules: fc.array(
        fc.record(
          {
            from: some(sources.map((source) => ({ source }))),
            to: some(operations.map((operation) => ({ operation }))),
            when: some(whens),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['action', 'rules'] },
  ),
}) as fc.Arbitrary<YamlPolicy>;
const yamlPolicies = fc.uniqueArray(yamlPolicy, {
  maxLength: 3,
  selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
});
const yamlWorkloads: fc.Arbitrary<YamlWorkload> = fc.record({
  namespace: fc.constantFrom('shop', 'data'),
  labels: fc.constantFrom<Readonly<Record<string, string>>>(
    { app: 'web' },
    { app: 'db', tier: 'a' },
    { app: 'web', tier: 'a' },
  ),
});
const ipv4 = connections.filter(({ source, destination }) => !`${source}${destination}`.includes(':'));

test('at random, what is converted decides as the words of the policies do', () => {
  const counts = { true: 0, false: 0 };
  const many = fc.array(ipv4, { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(yamlPolicies, yamlWorkloads, many, (held, workload, asked) => {
      const converted = held.flatMap((each) => {
        const value = {
          apiVersion: 'security.istio.io/v1',
          kind: 'AuthorizationPolicy',
          ...each,
        } as unknown as Json;
        const { notes, converted: made } = convertAuthorizationPolicy(readAuthorization(value), OPTIONS);
        if (notes.some(({ effect }) => effect !== 'refusesEverything' && effect !== 'noEffect'))
          throw new Error(notes[0]?.text);
        return made;
      });
      const applying = createPolicyIndex(converted.map(({ policy }) => policy)).applyingTo({
        namespace: workload.namespace,
        authorizationPolicies: listNamedPolicies(
          { converted, peerAuthentications: [], rootNamespace: 'istio-system' },
          workload,
        ),
      });
      for (const connection of asked) {
        const identity = connection.identity === undefined ? undefined : parseIdentity(connection.identity);
        const { allowed } = decide(applying, {
          caller: identity && callerOf(identity),
          source: parseAddress(connection.source),
          destination: parseAddress(connection.destination),
          port: connection.port,
        });
        const expected = isAllowed(held, workload, connection);
        if (allowed !== expected) return false;
        counts[`${expected}`] += 1;
      }
      return true;
    }),
    { numRuns: 2_000, seed: 26 },
  );
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(8_000);
});
