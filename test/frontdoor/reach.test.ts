// `reach` says of each connection that was recorded what became of it, and why.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';
import { validate } from '../schema.ts';

const TESTDATA = path.resolve(import.meta.dirname, '../testdata');
const TRAFFIC = path.join(TESTDATA, 'traffic');
const AT = '2026-11-30T21:45:00Z';

interface Recorded {
  readonly from: string;
  readonly to: string;
  readonly via: 'pod' | 'service';
  readonly port: number;
  readonly reached: boolean;
}

interface End {
  readonly namespace: string;
  readonly name: string;
}

interface Pair {
  readonly sources: readonly End[];
  readonly outcome: 'reached' | 'refused' | 'unknown';
  readonly decisive: { readonly step: string } | null;
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const dumpOf = (scenario: string) => path.join(TRAFFIC, `${scenario}.config_dump.json`);

/** `shop/cart` as DST. */
function writtenAs(to: string, via: string, port: number): string {
  const [namespace, name] = to.split('/');
  return `${via === 'service' ? 'service/' : ''}${name}.${namespace}:${port}`;
}

/** Where connections of a scenario end that do not get through; at the policies if it is not named. */
const STEP: Readonly<Record<string, (from: string) => string>> = {
  'not-enrolled': (from) => (from === 'data/db' ? 'capture' : 'way'),
  'workload-other-account': (from) => (from === 'data/db' ? 'capture' : 'way'),
  'service-without-port': () => 'destination',
};

describe('connections recorded from a real ztunnel', () => {
  const scenarios = readdirSync(TRAFFIC)
    .filter((name) => name.endsWith('.results.json'))
    .map((name) => name.replace('.results.json', ''));

  test('of 20 scenarios', () => {
    expect(scenarios).toHaveLength(20);
  });

  test.each(scenarios)('%s', async (scenario) => {
    const recorded = read(path.join(TRAFFIC, `${scenario}.results.json`)) as readonly Recorded[];
    expect(recorded).toHaveLength(72);
    const groups = Map.groupBy(recorded, ({ to, via, port }) => writtenAs(to, via, port));
    for (const [to, members] of groups) {
      const argv = ['reach', '--to', to, '-f', dumpOf(scenario), '--now', AT, '-o', 'json'];
      const { stdout, code } = await run(argv);
      const document = JSON.parse(stdout) as { readonly items: readonly Pair[] };
      expect(validate(document) ? [] : validate.errors).toEqual([]);
      const said = new Map(
        document.items.flatMap(({ sources, outcome, decisive }) =>
          sources.map(({ namespace, name }) => [
            `${namespace}/${name}`,
            outcome === 'refused' ? `refused at ${decisive?.step}` : outcome,
          ]),
        ),
      );
      const expected = members.map(({ from, reached }) => [
        from,
        reached ? 'reached' : `refused at ${STEP[scenario]?.(from) ?? 'policies'}`,
      ]);
      expect([to, members.map(({ from }) => [from, said.get(from)])]).toEqual([to, expected]);
      expect(code).toBe(document.items.every(({ outcome }) => outcome === 'reached') ? 0 : 1);
    }
  });
});

describe('pairs of a real mesh, with the dumps of both nodes', () => {
  /** Moments whose pods were seconds old are judged ten minutes later. */
  const later = /^(?:enrol|untrusted-account|token)/;
  const moments = readdirSync(path.join(TESTDATA, 'mesh')).flatMap((folder) =>
    readdirSync(path.join(TESTDATA, 'mesh', folder)).map((moment) => `${folder}/${moment}`),
  );

  test('of all moments', () => {
    expect(moments).toHaveLength(11);
  });

  test.each(moments)('%s', async (moment) => {
    const directory = path.join(TESTDATA, 'mesh', moment);
    const { at, reached } = read(path.join(directory, 'observed.json')) as {
      readonly at: string;
      readonly reached: Readonly<Record<string, boolean>>;
    };
    const now = new Date(Date.parse(at) + (later.test(moment) ? 600_000 : 0)).toISOString();
    const files = ['node-a', 'node-b'].flatMap((node) => [
      '-f',
      path.join(directory, `${node}.config_dump.json`),
    ]);
    const pairs = Object.entries(reached);
    expect(pairs).toHaveLength(12);
    for (const [pair, got] of pairs) {
      const [from = '', to = ''] = pair.split(' -> ').map((each) => each.split('/').toReversed().join('.'));
      // What becomes of connections of a ztunnel that has no configuration, no dump can tell.
      const isOpen = moment.startsWith('token') && !got;
      const { code, stderr } = await run(['reach', from, `${to}:8080`, ...files, '--now', now]);
      expect([pair, code, stderr]).toEqual([pair, isOpen ? 2 : got ? 0 : 1, expect.anything()]);
    }
  });
});
