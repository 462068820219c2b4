// `diff` says which of the pairs that were seen in open connections would no longer come about, or do now.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { run } from '../program.ts';
import { validate } from '../schema.ts';
import { temporaryDirectory } from '../temporary.ts';

const POLICIES = path.resolve(import.meta.dirname, '../testdata/mesh/policies');
const folder = temporaryDirectory();

type Connections = readonly {
  readonly src: string;
  readonly originalDst: string;
  readonly actualDst: string;
}[];

/** Both nodes of a moment as one file, in which the pods of node-a have these connections open. */
function save(
  moment: string,
  outbound: Readonly<Record<string, Connections>>,
  nodes = ['node-a', 'node-b'],
): string {
  const items = nodes.map((node) => {
    const dump = JSON.parse(readFileSync(path.join(POLICIES, moment, `${node}.config_dump.json`), 'utf8'));
    for (const pod of Object.values(dump.workloadState) as {
      info: { name: string };
      connections: object;
    }[]) {
      const own = (outbound[pod.info.name] ?? []).map((each) => ({ ...each, protocol: 'HBONE' }));
      pod.connections = { inbound: [], outbound: own };
    }
    return { ztunnel: { namespace: null, name: `ztunnel-${node}`, node }, dump };
  });
  const file = path.join(folder, `${moment}-${nodes.length}-${Object.keys(outbound).join()}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'ztunnel.kubectl/v1', kind: 'ConfigDumpList', items }));
  return file;
}

const CART = { originalDst: '10.96.0.118:80', actualDst: '10.77.0.4:15008' };
const OPEN = {
  admin: [
    { src: '10.77.0.3:40000', ...CART },
    { src: '10.77.0.3:40001', ...CART },
  ],
  web: [
    { src: '10.77.0.2:40000', ...CART },
    { src: '10.77.0.2:40001', originalDst: '198.51.100.7:443', actualDst: '198.51.100.7:443' },
  ],
};

async function pairs(before: string, after: string) {
  const now = ['--now', '2026-11-30T22:50:00Z'];
  const { stdout, code } = await run(['diff', before, after, ...now, '-o', 'json']);
  const document = JSON.parse(stdout);
  expect(validate(document) ? [] : validate.errors).toEqual([]);
  return { code, items: (document.items as { kind: string }[]).filter(({ kind }) => kind === 'Pair') };
}

const REFUSED =
  'refused at policies: no ALLOW policy of 1 matches: shop/cart-only-web all but principals cluster.local/ns/shop/sa/web: you are cluster.local/ns/ops/sa/admin';

test.each([
  ['a policy comes', '0-none', '1-allow-web-deny-ops', 'critical', 'reached', REFUSED],
  ['a policy goes', '1-allow-web-deny-ops', '0-none', 'information', REFUSED, 'reached'],
])('%s', async (_, before, after, severity, then, now) => {
  const { items, code } = await pairs(save(before, OPEN), save(after, {}));
  expect(code).toBe(1);
  expect(items).toEqual([
    expect.objectContaining({
      namespace: 'ops',
      name: 'admin → cart.shop:80',
      node: 'node-a',
      severity,
      changes: ['changed'],
      detail: `${then} → ${now}`,
    }),
  ]);
});

test('what was not open on either side is not asked about', async () => {
  expect((await pairs(save('0-none', {}), save('1-allow-web-deny-ops', {}))).items).toEqual([]);
});

test('what depends on a ztunnel of which nothing was saved is not compared', async () => {
  const before = save('0-none', OPEN);
  expect((await pairs(before, save('1-allow-web-deny-ops', OPEN, ['node-a']))).items).toEqual([]);
});
