// Each pair of pods in the moments of a real mesh reaches each other, or not, as it did.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import { formatFact } from '../../../src/model/reach/facttexts.ts';
import { type Route, traceRoutes } from '../../../src/model/reach/route.ts';
import type { ReachWorld } from '../../../src/model/reach/world.ts';
import { readMoment, TESTDATA } from './worlds.ts';

const MINUTE = 60_000;

interface Moment {
  readonly at: string;
  /** Of each pair, at port 8080 of the pod. */
  readonly reached: Readonly<Record<string, boolean>>;
}

/** Minutes after the moment at which it is judged: where pods were seconds old. */
const LATER = ['enrol', 'untrusted-account', 'token'];

const MOMENTS = readdirSync(new URL('mesh/', TESTDATA)).flatMap((folder) =>
  readdirSync(new URL(`mesh/${folder}/`, TESTDATA)).map((moment) => ({
    path: `mesh/${folder}/${moment}`,
    minutes: LATER.includes(folder) ? 10 : 0,
  })),
);

function traceOne(world: ReachWorld, from: string, to: string, port: number): Route {
  const find = (text: string) => {
    const [namespace = '', name = ''] = text.split('/');
    return world.findWorkload(namespace, name);
  };
  const [source, destination] = [find(from), find(to)];
  const address = parseAddress(destination!.addresses[0]!)!;
  const [route, another] = traceRoutes(world, { kind: 'workload', workload: source! }, { address, port });
  expect(another).toBe(undefined);
  return route!;
}

const say = ({ outcome, decisive }: Route) =>
  decisive === undefined ? outcome : `${outcome} at ${decisive.step}: ${formatFact(decisive.fact)}`;

const read = (path: string) => JSON.parse(readFileSync(new URL(path, TESTDATA), 'utf8'));

describe('moments', () => {
  test('are all here', () => {
    expect(MOMENTS.map(({ path }) => path)).toHaveLength(11);
  });

  const certain = MOMENTS.filter(({ path }) => !path.startsWith('mesh/token'));
  test.each(certain)('$path', ({ path, minutes }) => {
    const { at, reached } = read(`${path}/observed.json`) as Moment;
    const world = readMoment(path, Date.parse(at) + minutes * MINUTE);
    const pairs = Object.entries(reached);
    expect(pairs).toHaveLength(12);
    const said = pairs.map(([pair]) => {
      const [from = '', to = ''] = pair.split(' -> ');
      const route = traceOne(world, from, to, 8080);
      return [pair, route.outcome, say(route)];
    });
    expect(said).toEqual(
      pairs.map(([pair, got], index) => [pair, got ? 'reached' : 'refused', said[index]![2]]),
    );
  });

  test('mesh/token: what a ztunnel without configuration does is unknown', () => {
    const path = 'mesh/token/1-node-b-other-audience';
    const { at, reached } = read(`${path}/observed.json`) as Moment;
    const world = readMoment(path, Date.parse(at) + 10 * MINUTE);
    const outcomes = Object.keys(reached).map((pair) => {
      const [from = '', to = ''] = pair.split(' -> ');
      return `${pair}: ${say(traceOne(world, from, to, 8080))}`;
    });
    const never = 'ztunnel ztunnel-node-b has never had its configuration';
    expect(outcomes).toEqual(
      Object.entries(reached).map(([pair, got]) => {
        if (got) return `${pair}: reached`;
        const [from = '', to = ''] = pair.split(' -> ');
        const [step, pod] = /cart|db/.test(from) ? ['capture', from] : ['way', to];
        return `${pair}: unknown at ${step}: whether ${pod} is captured is not known: ${never}`;
      }),
    );
  });
});

describe('what is said of them', () => {
  const cases: readonly [path: string, from: string, to: string, text: string][] = [
    [
      'mesh/enrol/1-never-handed-over',
      'data/db',
      'shop/web',
      'refused at capture: ztunnel-node-b on node-b was never handed data/db: all of its connections fail',
    ],
    [
      'mesh/enrol/1-never-handed-over',
      'shop/web',
      'data/db',
      'refused at way: ztunnel-node-b on node-b was never handed data/db: all of its connections fail',
    ],
    [
      'mesh/untrusted-account/1',
      'shop/web',
      'data/db',
      'refused at identity: spiffe://cluster.local/ns/shop/sa/web has no certificate that can be used: signing gRPC error (The request does not have valid authentication credentials): request impersonation authentication failure',
    ],
    [
      'mesh/abrupt/1-node-a-on-b',
      'shop/web',
      'data/db',
      'refused at trust: data/db does not accept shop/web: intermediate 1 (O=mesh, CN=Intermediate B) is issued by O=mesh, CN=Root B, which is not listed',
    ],
    [
      'mesh/policies/1-allow-web-deny-ops',
      'ops/admin',
      'shop/cart',
      'refused at policies: no ALLOW policy of 1 matches: shop/cart-only-web all but principals cluster.local/ns/shop/sa/web: you are cluster.local/ns/ops/sa/admin',
    ],
    [
      'mesh/policies/3-root-namespace-and-http-rule',
      'ops/admin',
      'shop/cart',
      'refused at policies: DENY istio-system/root matches: notDestinationPorts 9090, sourceIps 10.77.0.3/32',
    ],
  ];
  test.each(cases)('%s: %s → %s', (path, from, to, text) => {
    const { at } = read(`${path}/observed.json`) as Moment;
    expect(say(traceOne(readMoment(path, Date.parse(at)), from, to, 8080))).toBe(text);
  });
});

interface Seen {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly reached: boolean;
}

describe('enforced policies, on two ports, plain text included', () => {
  test.each(readdirSync(new URL('enforced/', TESTDATA)))('%s', (name) => {
    const { at, seen } = read(`enforced/${name}/observed.json`) as { at: string; seen: readonly Seen[] };
    const world = readMoment(`enforced/${name}`, Date.parse(at) + 10 * MINUTE);
    expect(seen).toHaveLength(40);
    const said = seen.map(({ from, to, port }) => {
      const route = traceOne(world, from, to, port);
      return [from, to, port, route.outcome, say(route)];
    });
    expect(said).toEqual(
      seen.map(({ from, to, port, reached }, index) => [
        from,
        to,
        port,
        reached ? 'reached' : 'refused',
        said[index]![4],
      ]),
    );
  });
});
