// What the program says of real dumps, against what istioctl prints and what is known of that mesh.

import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const dump = (name: string) => path.join(testdata, 'dumps', `${name}.config_dump.json`);
const nodes = ['node-a', 'node-b', 'node-c'].flatMap((name) => ['-f', dump(name)]);
const captured = '2026-11-29T22:03:42Z';

/** The lists that go with the three node captures, in one encoding. */
function resources(extension: 'json' | 'pb'): readonly string[] {
  return ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases'].flatMap((kind) => [
    '--resources',
    path.join(testdata, 'kubernetes', `all-${kind}.${extension}`),
  ]);
}

/** Words of a table's lines, by the first column's word. */
function rowsOf(stdout: string): readonly (readonly string[])[] {
  return stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));
}

describe('-o short equals istioctl byte for byte', () => {
  const captures = readdirSync(path.join(testdata, 'istioctl'));

  test.each(captures)('certs of %s', async (name) => {
    const { code, stdout } = await run(['certs', '-o', 'short', '--now', captured, '-f', dump(name)]);
    expect(stdout).toBe(readFileSync(path.join(testdata, 'istioctl', name, 'certs.short'), 'utf8'));
    expect(code).toBe(0);
  });

  test.each(captures)('workloads of %s', async (name) => {
    const { code, stdout } = await run(['workloads', '-o', 'short', '--now', captured, '-f', dump(name)]);
    expect(stdout).toBe(readFileSync(path.join(testdata, 'istioctl', name, 'workloads.short'), 'utf8'));
    expect(code).toBe(0);
  });

  test.each([
    ['workloads-shop-node-b', '--workload-namespace shop --workload-node node-b'],
    ['workloads-shop-node-b', '--workload-namespace SHOP --workload-node NODE-B'],
    ['workloads-address', '--address fd00:1::11'],
  ])('%s with %s', async (name, filters) => {
    const capture = 'node-a-connections';
    const { stdout } = await run(['w', '-oshort', '-f', dump(capture), ...filters.split(' ')]);
    expect(stdout).toBe(readFileSync(path.join(testdata, 'istioctl', capture, `${name}.short`), 'utf8'));
  });
});

test('-o short names a waypoint by the first service that has its address, as istioctl does', async () => {
  const service = (name: string) => ({
    name,
    namespace: 'shop',
    hostname: `${name}.shop`,
    vips: ['/10.0.0.1'],
  });
  const waypoint = { destination: '/10.0.0.1', hboneMtlsPort: 15008 };
  const workload = { uid: 'K//Pod/shop/web', name: 'web', namespace: 'shop', protocol: 'HBONE', waypoint };
  const whole = { config: {}, workloads: [workload], services: [service('first'), service('second')] };
  const { stdout } = await run('w -f - -o short --no-headers', { stdin: JSON.stringify(whole) });
  expect(stdout).toBe('shop web   first HBONE\n');
});

test('-o pem is PEM text that any tool reads, a comment before each certificate', async () => {
  const { stdout, code } = await run(['certs', '-o', 'pem', '-f', dump('node-a')]);
  const blocks = stdout.split(/^# /m).slice(1);
  expect(blocks.map((block) => block.split('\n')[0]?.split(' ')[1]).slice(0, 3)).toEqual([
    'leaf',
    'intermediate',
    'root',
  ]);
  const subjects = blocks.map(
    (block) => new X509Certificate(block.slice(block.indexOf('\n') + 1)).subjectAltName,
  );
  expect(subjects.filter((name) => name !== undefined)).toEqual(
    ['cart', 'checkout', 'web'].map((name) => `URI:spiffe://cluster.local/ns/shop/sa/${name}`),
  );
  expect(code).toBe(0);
});

describe('the three node captures', () => {
  test('when they were taken', async () => {
    const { stdout, stderr, code } = await run(['certs', ...nodes, '--now', captured]);
    const rows = rowsOf(stdout);
    const ofStatus = (status: string) => rows.filter((row) => row[0] === status).map((row) => row[1]);
    expect(ofStatus('OK')).toHaveLength(10);
    expect(ofStatus('EXPIRED')).toEqual(['shop/expired']);
    expect(ofStatus('NOT-YET-VALID')).toEqual(['shop/future']);
    expect(ofStatus('INITIALIZING')).toEqual(['shop/slow']);
    expect(ofStatus('UNAVAILABLE')).toEqual(['shop/denied', 'shop/wrongsan']);
    expect(rows).toHaveLength(15);
    expect(stdout).toContain(
      'signing gRPC error (The caller does not have permission to execute the specified operation): caller is not authorized to impersonate spiffe://cluster.local/ns/shop/sa/denied',
    );
    expect(stdout).toContain('did not find expected SAN: spiffe://cluster.local/ns/shop/sa/wrongsan');
    expect(stderr).toBe('15 certificates on 3 of 3 ztunnels: 10 OK, 4 critical, 1 warning.\n');
    expect(code).toBe(0);
  });

  test('fourteen hours later, when no renewal has come', async () => {
    const { stdout } = await run(['certs', ...nodes, '--now', '2026-11-30T12:00:00Z']);
    const statuses = new Map(
      rowsOf(stdout).map(([status, identity, node]) => [`${identity} ${node}`, status]),
    );
    const overdue = [...statuses].filter(([, status]) => status === 'RENEWAL-OVERDUE').map(([name]) => name);
    expect(overdue).toHaveLength(9);
    expect(statuses.get('shop/short-lived node-b')).toBe('EXPIRED');
  });

  test('with the objects of their mesh, in protobuf or JSON alike', async () => {
    const [protobuf, json] = await Promise.all(
      (['pb', 'json'] as const).map((extension) =>
        run(['certs', ...nodes, ...resources(extension), '--now', '2026-11-29T23:00:00Z', '-o', 'wide']),
      ),
    );
    expect(protobuf).toEqual(json);
    expect(protobuf?.code).toBe(0);
    const text = protobuf?.stdout ?? '';
    expect(text).toMatch(/shop\/web .* Deployment\/web /);
    expect(text).toMatch(/shop\/cart .* StatefulSet\/cart 3\/3 /);
    expect(text).toMatch(/shop\/checkout .* CronJob\/checkout /);
    expect(text).not.toMatch(/legacy|agent|MISSING/);
    expect(text).toContain('istio-system/ztunnel-4jt7m');
  });

  test.each([
    ['pods older than a minute', '2026-11-29T23:00:00Z', 'no ztunnel on this node lists it'],
    [
      'pods younger than a minute',
      '2026-11-29T22:22:00Z',
      'no ztunnel on this node lists it; its pod started 17s ago',
    ],
  ])('without the cart entry of node-a: %s', async (_, now, reason) => {
    const text = readFileSync(dump('node-a'), 'utf8');
    const whole = JSON.parse(text) as { certificates: { identity: string }[] };
    const certificates = whole.certificates.filter(({ identity }) => !identity.endsWith('/sa/cart'));
    const { stdout } = await run(
      ['certs', '-f', '-', '-f', dump('node-b'), '-f', dump('node-c'), ...resources('pb'), '--now', now],
      { stdin: JSON.stringify({ ...whole, certificates }) },
    );
    const missing = rowsOf(stdout).filter(([status]) => status === 'MISSING');
    expect(missing.map(([, identity, node, , , why]) => [identity, node, why])).toEqual([
      ['shop/cart', 'node-a', reason],
    ]);
  });
});
