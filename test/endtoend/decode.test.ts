// What `decode` makes of a real API server's protobuf and of a real etcd's values is the API server's own JSON.

import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load, loadAll } from 'js-yaml';
import type { Json } from '../../src/base/json.ts';
import { descriptorOf } from '../../src/decode/schema/descriptor.ts';
import { unset } from '../decode/unset.ts';
import { type Api, openApi } from './api.ts';
import { LEASE, leaseCandidate, REFUSED, STATEFUL_SETS, STATUS } from './everyfield.ts';
import { openPlace, type Place } from './place.ts';
import { ztunnel } from './program.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();
const NAMESPACE = 'every-field';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const APPS = `/apis/apps/v1/namespaces/${NAMESPACE}/statefulsets`;
const coordination = (version: string, resource: string) =>
  `/apis/coordination.k8s.io/${version}/namespaces/${NAMESPACE}/${resource}`;
const CANDIDATES = ['v1beta1', 'v1alpha2'] as const;

let api: Api;
let place: Place;
beforeAll(async () => {
  api = openApi(plane);
  place = openPlace(plane);
  await api.ensure('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const each of STATEFUL_SETS) await api.ensure(APPS, each);
  await api.patch(`${APPS}/of-all/status`, { status: STATUS });
  await api.ensure(coordination('v1', 'leases'), LEASE);
  for (const version of CANDIDATES) {
    await api.ensure(coordination(version, 'leasecandidates'), leaseCandidate(version));
  }
});
afterAll(() => {
  api?.close();
  place?.remove();
});

async function decode(name: string, content: Buffer, format: string): Promise<string> {
  const file = place.write(name, content.toString('base64'));
  const { code, stdout, stderr } = await ztunnel(['decode', file, '--encoding', 'base64', '-o', format]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe.each([
  ['a StatefulSet with every field', `${APPS}/of-all`],
  ['a StatefulSet on Linux', `${APPS}/on-linux`],
  ['StatefulSets', APPS],
  ['a page of StatefulSets', `${APPS}?limit=1`],
  ['a Lease', `${coordination('v1', 'leases')}/all`],
  ['Leases', '/apis/coordination.k8s.io/v1/leases'],
  ['a LeaseCandidate of v1beta1', `${coordination('v1beta1', 'leasecandidates')}/all-v1beta1`],
  ['a LeaseCandidate of v1alpha2', `${coordination('v1alpha2', 'leasecandidates')}/all-v1alpha2`],
  ['LeaseCandidates of v1beta1', coordination('v1beta1', 'leasecandidates')],
  ['LeaseCandidates of v1alpha2', coordination('v1alpha2', 'leasecandidates')],
  ['the answer that there is none', `${coordination('v1', 'leases')}/none`],
])('%s', (_, path) => {
  test('is what the API server says in JSON and in YAML', async () => {
    const [asJson, asYaml, asProtobuf] = await unchanged(path, [
      'application/json',
      'application/yaml',
      PROTOBUF,
    ]);
    const value = JSON.parse(asJson!.toString());
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map((format) => decode('object', asProtobuf!, format)),
    );
    // A page's token differs from request to request.
    // What would act on a terminal is escaped.
    const known = (text: string) => text.replace(/("?continue"?: ).*/, '$1x').replaceAll('\u2028', '\\u2028');
    expect(known(json!)).toBe(known(`${JSON.stringify(value, null, 4)}\n`));
    expect(load(known(yaml!))).toEqual(load(known(asYaml!.toString())));
  });
});

/** Answers of one moment, in each form: servers renew their Leases while they are asked. */
async function unchanged(path: string, forms: readonly string[]): Promise<readonly Buffer[]> {
  for (let tries = 0; tries < 20; tries += 1) {
    const before = await api.fetch(path, 'application/json');
    const answers: Buffer[] = [];
    for (const form of forms) answers.push(await api.fetch(path, form));
    if (before.equals(await api.fetch(path, 'application/json'))) return answers;
  }
  throw new Error(`${path} changes all the time`);
}

/** An item of a list as an object of its own, without what etcd does not hold. */
function asStored(list: { apiVersion: string; kind: string }, item: { metadata: object }): object {
  const { resourceVersion: _, ...metadata } = item.metadata as { resourceVersion?: string };
  return { kind: list.kind.replace(/List$/, ''), apiVersion: list.apiVersion, ...item, metadata };
}

function etcdPrints(prefix: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${plane.control}/etcd?prefix=${encodeURIComponent(prefix)}`, async (response) => {
      resolve(Buffer.concat((await response.toArray().catch(reject)) as Buffer[]));
    });
    sent.on('error', reject);
    sent.end();
  });
}

test.each([
  ['statefulsets', APPS],
  ['leases', coordination('v1', 'leases')],
  ['leasecandidates', coordination('v1beta1', 'leasecandidates')],
  ['leasecandidates', coordination('v1alpha2', 'leasecandidates')],
])(
  'the %s in etcd are those of %s, but for the resource version and what it is converted to',
  async (resource, path) => {
    const list = await api.get(path);
    const { apiVersion, kind, items } = list as unknown as {
      apiVersion: string;
      kind: string;
      items: { metadata: object }[];
    };
    const stored = await decode('etcd', await etcdPrints(`/registry/${resource}/${NAMESPACE}/`), 'yaml');
    const inItsVersion = (object: object) => ({ ...object, apiVersion });
    expect(loadAll(stored).map((object) => inItsVersion(object as object))).toEqual(
      items.map((item) => asStored({ apiVersion, kind }, item)),
    );
  },
);

test('the StatefulSets set every field of a pod template that may be set', async () => {
  const templates = await Promise.all(
    STATEFUL_SETS.map(async ({ metadata: { name } }) => {
      const { spec } = (await api.get(`${APPS}/${name}`)) as unknown as { spec: { template: Json } };
      return spec.template;
    }),
  );
  const left = unset(descriptorOf('k8s.io.api.core.v1.PodTemplateSpec'), templates);
  const ephemeral = /^EphemeralContainer(?:Common)?\./;
  expect(
    left.map((name) => name.replace('k8s.io.api.core.v1.', '')).filter((name) => !ephemeral.test(name)),
  ).toEqual(REFUSED);
});
