// Every JSON and YAML document, held against the schema that users are given.

import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { run } from '../program.ts';
import { validate } from '../schema.ts';

const root = path.resolve(import.meta.dirname, '../..');

const dumps = ['node-a', 'node-b', 'node-c'].flatMap((name) => [
  '-f',
  path.join(root, `test/testdata/dumps/${name}.config_dump.json`),
]);
const resources = ['pods', 'replicasets', 'jobs', 'statefulsets', 'leases'].flatMap((kind) => [
  '--resources',
  path.join(root, `test/testdata/kubernetes/all-${kind}.pb`),
]);
/** Of the captures' services and of none. */
const rules = ['--resources', path.join(root, 'test/testdata/istio/rules.yaml')];
const testdata = (name: string) => ['-f', path.join(root, `test/testdata/${name}.config_dump.json`)];
const connected = testdata('dumps/node-a-connections');
const traffic = (name: string) => testdata(`traffic/${name}`);
const oldest = testdata('eras/ztunnel-1.18');
const before123 = testdata('eras/ztunnel-1.22.0');
const now = ['--now', '2026-11-29T23:00:00Z'];

const cases: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['certs', ['certs', ...dumps, ...now]],
  ['certs without owners', ['certs', ...dumps, ...now, '--no-owners']],
  ['certs with owners', ['certs', ...dumps, ...resources, ...now]],
  ['no certificate', ['certs', ...dumps, ...now, '-n', 'nowhere']],
  ['certs of a file that is not there', ['certs', '-f', 'nowhere.json', ...now]],
  ...['identity', 'node', 'namespace', 'status', 'issuer', 'root'].map(
    (by) => [`certs by ${by}`, ['certs', ...dumps, ...now, '--group-by', by]] as const,
  ),
  ['certs by who trusts which root', ['certs', ...dumps, ...now, '--group-by', 'trusts']],
  ['trust', ['trust', ...dumps, ...now]],
  ['trust from one', ['trust', 'serviceaccount/web.shop', ...dumps, ...resources, ...now]],
  ['trust from one to another', ['trust', 'node/node-a', 'node/node-b', ...dumps, ...now]],
  ['trust of which one is not there', ['trust', ...dumps, '-f', 'nowhere.json', ...now]],
  ['workloads', ['workloads', ...dumps, ...now]],
  ['workloads with owners', ['workloads', ...dumps, ...resources, ...now]],
  ['no workload', ['workloads', ...dumps, ...now, '-n', 'nowhere']],
  ['services', ['services', ...dumps, ...now]],
  ['services of ztunnel 1.18', ['services', ...oldest, ...now]],
  ['policies', ['policies', ...dumps, ...now]],
  ['connections', ['connections', ...connected, ...now]],
  ['connections with owners', ['connections', ...connected, ...resources, ...now]],
  ['reach', ['reach', 'web.shop', 'db.data', ...traffic('not-enrolled'), ...now]],
  ['reach where policies refuse', ['reach', 'admin.ops', 'db.data', ...traffic('two-rules'), ...now]],
  ['reach of a dry run', ['reach', 'legacy.shop', 'db.data', ...traffic('dry-run-deny'), ...now]],
  ['reach from the kubelet', ['reach', 'node/node-a', '10.77.0.4:8080', ...traffic('none'), ...now]],
  ['reach from elsewhere', ['reach', '192.0.2.1', 'service/db.data:1', ...traffic('none'), ...now]],
  ['reach of all services', ['reach', 'web.shop', '-A', ...traffic('allow-nothing'), ...now]],
  ['reach of many', ['reach', '--to', 'db.data', ...traffic('allow-nothing'), ...now]],
  ['reach without any dump', ['reach', 'web.shop', '10.0.0.1', '-f', 'nowhere.json', ...now]],
  ['connections of ztunnel 1.22.0', ['connections', ...before123, ...now]],
  ['ztunnels', ['ztunnels', ...dumps, ...now]],
  ['ztunnels of which one is not there', ['ztunnels', ...dumps, '-f', 'nowhere.json', ...now]],
  ['all dumps of several', ['all', ...dumps, ...now]],
  ['all dumps of which one is not there', ['all', ...dumps, '-f', 'nowhere.json', ...now]],
  ['check', ['check', ...dumps, ...now]],
  ['check with owners', ['check', ...dumps, ...resources, ...now]],
  ['check for less', ['check', ...dumps, ...now, '--ignore', 'EXPIRED', '--min-severity', 'warning']],
  ['check of which one is not there', ['check', ...dumps, '-f', 'nowhere.json', ...now]],
  ['decode --list-kinds', ['decode', '--list-kinds']],
  ['sans', ['sans', ...dumps, ...now]],
  ['sans with rules', ['sans', ...dumps, ...resources, ...rules, ...now]],
  ['check with rules', ['check', ...dumps, ...resources, ...rules, ...now, '--only', 'SAN-REFUSED']],
  ['leases', ['leases', '--nodes', ...dumps, ...resources, ...now]],
];

describe.each(cases)('%s', (_, argv) => {
  test('follows the schema', async () => {
    const { stdout } = await run([...argv, '-o', 'json']);
    const document = JSON.parse(stdout) as object;
    expect(validate(document) ? [] : validate.errors).toEqual([]);
  });

  test('is the same in YAML', async () => {
    const [json, yaml] = await Promise.all([run([...argv, '-o', 'json']), run([...argv, '-o', 'yaml'])]);
    expect(load(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  });
});

test('the schema refuses what is not a document', () => {
  expect(validate({})).toBe(false);
  expect(validate({ apiVersion: 'ztunnel.kubectl/v1', kind: 'CertificateList', items: [] })).toBe(false);
});

test('what ztunnel sent stands under raw, unknown fields included, and no digit of a number is lost', async () => {
  const dump = {
    certificates: [{ identity: 'spiffe://td/ns/a/sa/b', state: 'New', later: { big: 1 } }],
    config: {},
  };
  const text = JSON.stringify(dump).replace('"big":1', '"big":123456789012345678901234567890');
  const { stdout } = await run(['certs', '-f', '-', '-o', 'json'], { stdin: text });
  expect(stdout).toContain('"big": "123456789012345678901234567890"');
  const [item] = (JSON.parse(stdout) as { items: { raw: object }[] }).items;
  expect(item?.raw).toEqual({
    identity: 'spiffe://td/ns/a/sa/b',
    state: 'New',
    later: { big: '123456789012345678901234567890' },
  });
});
