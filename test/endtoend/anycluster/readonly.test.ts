// What must hold on any cluster with ztunnels, by reading alone.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { selectConnection } from '../../../src/cluster/connection.ts';
import { loadKubeconfig } from '../../../src/cluster/kubeconfigfiles.ts';
import { fetchAnswer } from '../../../src/cluster/request.ts';
import { listPath, RESOURCES, type Resource } from '../../../src/cluster/resources.ts';
import { openTransport, type Transport } from '../../../src/cluster/transport.ts';
import { commands } from '../../../src/commands/index.ts';
import { decodeKube } from '../../../src/decode/object.ts';
import type { KubeObject } from '../../../src/model/types.ts';
import { ztunnel } from '../program.ts';
import { surroundings } from '../surroundings.ts';

const { kubeconfig } = surroundings();
const env = { ...(process.env as Record<string, string>), KUBECONFIG: kubeconfig };
const BOUNDS = { connectTimeoutMs: 10_000, requestTimeoutMs: 60_000 };
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const PARTIAL = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Objects by uid and version: what changed between two lists is not compared. */
type Versions = ReadonlyMap<string, KubeObject>;

async function fetchList(transport: Transport, resource: Resource, type: string): Promise<Versions> {
  const accept = `${type}${resource.metadataOnly ? PARTIAL : ''}`;
  const answer = await fetchAnswer(transport, listPath(resource, undefined), { Accept: accept }, BOUNDS);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
  const list = decodeKube(answer.body, answer.headers['content-type']);
  if (list.type !== 'list') throw new Error(`${resource.plural}: no list`);
  const objects = list.items as readonly KubeObject[];
  return new Map(
    objects.map((object) => [`${object.metadata.uid} ${object.metadata.resourceVersion}`, object]),
  );
}

/** Protobuf holds the fields that the program reads; JSON holds all. */
function common(wide: unknown, narrow: unknown): unknown {
  if (Array.isArray(narrow) && Array.isArray(wide))
    return wide.map((item, index) => (index in narrow ? common(item, narrow[index]) : item));
  if (!isObject(wide) || !isObject(narrow)) return wide;
  return Object.fromEntries(
    Object.entries(wide)
      .filter(([key]) => key in narrow)
      .map(([key, value]) => [key, common(value, narrow[key])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a list in both encodings', () => {
  test.each(Object.values(RESOURCES) as readonly Resource[])('$plural', async (resource) => {
    const connection = selectConnection(await loadKubeconfig(undefined, env), {});
    const transport = await openTransport(connection, env);
    const protobuf = await fetchList(transport, resource, PROTOBUF);
    const json = await fetchList(transport, resource, 'application/json');
    transport.agent.destroy();
    const both = [...protobuf.keys()].filter((key) => json.has(key));
    expect(both.length).toBeGreaterThan(0);
    for (const key of both) {
      const decoded = protobuf.get(key);
      expect(decoded).toEqual(common(json.get(key), decoded));
    }
  });
});

const root = path.resolve(import.meta.dirname, '../../..');
const schema = JSON.parse(readFileSync(path.join(root, 'docs/document.schema.json'), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** Those that take no word and end by themselves; those that this version does not have are left out. */
const READING = [
  'certs',
  'workloads',
  'services',
  'policies',
  'connections',
  'ztunnels',
  'check',
  'leases',
  'sans',
];
const reading = commands.map(({ name }) => name).filter((name) => READING.includes(name));

describe('what is read', () => {
  test.each(reading)('by %s is a document as docs/json.md describes it', async (name) => {
    const { stdout, stderr } = await ztunnel([name, '-o', 'json'], { env });
    expect(stderr).not.toContain('internal error');
    const document = JSON.parse(stdout);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  test('is complete, or an error says what is missing', async () => {
    const { code, stdout, stderr } = await ztunnel('certs -o json', { env });
    const { failures, summary } = JSON.parse(stdout);
    const errors = failures.filter(({ severity }: { severity: string }) => severity === 'error');
    expect(summary.ztunnels.answered).toBe(summary.ztunnels.asked - failures.length);
    expect(stderr.match(/^error: /gm) ?? []).toHaveLength(errors.length);
    expect(code).toBe(errors.length > 0 ? 1 : 0);
  });

  test('by certs names the same identities in every format', async () => {
    const [json, name] = await Promise.all([
      ztunnel('certs -o json', { env }),
      ztunnel('certs -o name', { env }),
    ]);
    const items = JSON.parse(json.stdout).items as readonly { identity: string; status: string }[];
    const listed = items.filter(({ status }) => status !== 'MISSING').map(({ identity }) => identity);
    expect(name.stdout.split('\n').filter(Boolean).sort()).toEqual([...new Set(listed)].sort());
  });

  test('by workloads says of each whose it is', async () => {
    const { stdout } = await ztunnel('workloads -o json', { env });
    const { items } = JSON.parse(stdout) as { items: readonly { kind: string; owners: unknown }[] };
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ kind, owners }) => kind === 'Pod' && owners === null)).toEqual([]);
  });
});
