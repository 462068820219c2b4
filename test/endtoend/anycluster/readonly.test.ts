// What must hold on any cluster with ztunnels, by reading alone.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { decodeKube } from '../../../src/decode/kube/object.ts';
import { KINDS, type Kind } from '../../../src/model/kinds.ts';
import { loadKubeconfig } from '../../../src/sources/kubeconfig/kubeconfigfiles.ts';
import { selectConnection } from '../../../src/sources/kubernetes/connection.ts';
import { fetchAnswer } from '../../../src/sources/kubernetes/request.ts';
import { listPath } from '../../../src/sources/kubernetes/resources.ts';
import { openTransport, type Transport } from '../../../src/sources/kubernetes/transport.ts';
import { ztunnel } from '../program.ts';
import { READING } from '../reading.ts';
import { surroundings } from '../surroundings.ts';

const { kubeconfig, context, controlPlane } = surroundings();
const env = { ...(process.env as Record<string, string>), KUBECONFIG: kubeconfig };
const ask = (...argv: readonly string[]) =>
  ztunnel([...argv, ...(context === undefined ? [] : ['--context', context])], { env });
const BOUNDS = { connectTimeoutMs: 10_000, requestTimeoutMs: 60_000 };
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const PARTIAL = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** The items as the program decodes them, and the state of the cluster that they show. */
async function fetchList(transport: Transport, resource: Kind, type: string, at?: string) {
  const search = at === undefined ? '' : `?resourceVersion=${at}&resourceVersionMatch=Exact`;
  const headers = { Accept: `${type}${resource.metadataOnly ? PARTIAL : ''}` };
  const {
    status,
    headers: answered,
    body,
  } = await fetchAnswer(transport, `${listPath(resource, undefined)}${search}`, headers, BOUNDS);
  const contentType = answered['content-type'];
  expect([status, contentType]).toEqual([200, expect.stringContaining(type)]);
  const list = decodeKube(body, contentType);
  if (list.type !== 'list') throw new Error(`${resource.plural}: no list`);
  return { items: list.items, body };
}

/** Custom resources exist as JSON only, and a cluster may not have them: sans.test.ts defines and asks for them. */
const BUILT_IN = (Object.values(KINDS) as readonly Kind[]).filter(({ custom }) => !custom);

describe('a list in both encodings', () => {
  test.each(BUILT_IN)('$plural', async (resource) => {
    const connection = selectConnection(await loadKubeconfig(undefined, env), { context });
    const transport = await openTransport(connection, env);
    const json = await fetchList(transport, resource, 'application/json');
    const { resourceVersion } = JSON.parse(Buffer.from(json.body).toString()).metadata;
    const protobuf = await fetchList(transport, resource, PROTOBUF, resourceVersion);
    transport.agent.destroy();
    // Another cluster may have no StatefulSets.
    if (controlPlane !== undefined) expect(json.items.length).toBeGreaterThan(0);
    expect(protobuf.items).toStrictEqual(json.items);
  });
});

const root = path.resolve(import.meta.dirname, '../../..');
const schema = JSON.parse(readFileSync(path.join(root, 'docs/document.schema.json'), 'utf8'));
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

describe('what is read', () => {
  test.each(READING)('by %s is a document as docs/json.md describes it', async (name) => {
    const { stdout, stderr } = await ask(name, '-o', 'json');
    expect(stderr).not.toContain('internal error');
    const document = JSON.parse(stdout);
    expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  test('is complete, or an error says what is missing', async () => {
    const { code, stdout, stderr } = await ask('certs', '-o', 'json');
    const { failures, summary } = JSON.parse(stdout);
    const errors = failures.filter(({ severity }: { severity: string }) => severity === 'error');
    expect(summary.ztunnels.answered).toBe(summary.ztunnels.asked - failures.length);
    expect(stderr.match(/^error: /gm) ?? []).toHaveLength(errors.length);
    expect(code).toBe(errors.length > 0 ? 1 : 0);
  });

  test('by certs names the same identities in every format', async () => {
    const [json, name] = await Promise.all([ask('certs', '-o', 'json'), ask('certs', '-o', 'name')]);
    const items = JSON.parse(json.stdout).items as readonly { identity: string; status: string }[];
    const listed = items.filter(({ status }) => status !== 'MISSING').map(({ identity }) => identity);
    expect(name.stdout.split('\n').filter(Boolean).sort()).toEqual([...new Set(listed)].sort());
  });

  test('by workloads says of each whose it is', async () => {
    const { stdout } = await ask('workloads', '-o', 'json');
    const { items } = JSON.parse(stdout) as { items: readonly { kind: string; owners: unknown }[] };
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter(({ kind, owners }) => kind === 'Pod' && owners === null)).toEqual([]);
  });
});
