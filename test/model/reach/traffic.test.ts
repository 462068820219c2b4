// Each connection recorded from a real ztunnel gets through, or not, as it did; and where not, at the step that its scenario is about.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseAddress } from '../../../src/model/policies/addresses.ts';
import type { StepName } from '../../../src/model/reach/facts.ts';
import { formatFact } from '../../../src/model/reach/facttexts.ts';
import { type Route, traceRoutes } from '../../../src/model/reach/route.ts';
import type { ReachWorld } from '../../../src/model/reach/world.ts';
import { readAnswer, TESTDATA, worldOf } from './worlds.ts';

const AT = Date.parse('2026-11-30T21:45:00Z');

interface Recorded {
  readonly from: string;
  readonly to: string;
  readonly via: 'pod' | 'service';
  readonly port: number;
  readonly reached: boolean;
}

const SCENARIOS = readdirSync(new URL('traffic/', TESTDATA))
  .filter((name) => name.endsWith('.results.json'))
  .map((name) => name.replace('.results.json', ''));

/** Where connections of a scenario end that do not get through; `policies` if it is not named. */
const STEP: Readonly<Record<string, (connection: Recorded) => StepName>> = {
  'not-enrolled': ({ from }) => (from === 'data/db' ? 'capture' : 'way'),
  'workload-other-account': ({ from }) => (from === 'data/db' ? 'capture' : 'way'),
  'service-without-port': () => 'destination',
};

function trace(world: ReachWorld, { from, to, via, port }: Recorded): readonly Route[] {
  const find = (text: string) => {
    const [namespace = '', name = ''] = text.split('/');
    return { workload: world.findWorkload(namespace, name)!, service: world.findService(namespace, name)! };
  };
  const { workload, service } = find(to);
  const text = via === 'pod' ? workload.addresses[0]! : service.vips[0]!.replace(/^.*\//, '');
  const target = { address: parseAddress(text)!, port };
  return traceRoutes(world, { kind: 'workload', workload: find(from).workload }, target);
}

test('all of them are here', () => {
  expect(SCENARIOS).toHaveLength(20);
});

test.each(SCENARIOS)('%s', (name) => {
  const world = worldOf([readAnswer(`traffic/${name}`)], AT);
  const recorded = JSON.parse(
    readFileSync(new URL(`traffic/${name}.results.json`, TESTDATA), 'utf8'),
  ) as Recorded[];
  expect(recorded).toHaveLength(72);
  const seen = recorded.map((connection) => {
    const [route, another] = trace(world, connection);
    const step = (STEP[name] ?? (() => 'policies'))(connection);
    const expected = connection.reached ? 'reached' : `refused at ${step}`;
    const said = route!.outcome === 'refused' ? `refused at ${route!.decisive?.step}` : route!.outcome;
    const why = said === expected ? '' : ` (${route!.steps.map(({ fact }) => formatFact(fact)).join('; ')})`;
    return { ...connection, said: `${said}${another === undefined ? '' : ' and more'}${why}`, expected };
  });
  expect(seen.map((each) => each.said)).toEqual(seen.map((each) => each.expected));
});
