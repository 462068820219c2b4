// Istio's custom resources on a real API server: definitions of our own that hold the fields used, and their objects.

import { setTimeout as sleep } from 'node:timers/promises';
import { ISTIO_GROUP, type Manifest } from '../mesh/resources.ts';
import type { Api } from './api.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const LONGEST_MS = 15_000;
export const VERSIONS = ['v1', 'v1beta1', 'v1alpha3'] as const;

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const fields = (properties: object) => ({ type: 'object', properties });
const tls = fields({
  mode: { type: 'string', enum: ['DISABLE', 'SIMPLE', 'MUTUAL', 'ISTIO_MUTUAL'] },
  subjectAltNames: texts,
});
const port = fields({ number: { type: 'integer', minimum: 0, maximum: 65_535 } });
const trafficPolicy = fields({ tls, portLevelSettings: { type: 'array', items: fields({ port, tls }) } });
const labels = { type: 'object', additionalProperties: text };
const subsets = { type: 'array', items: fields({ name: text, labels, trafficPolicy }) };

/** By plural: the kind, and the schema of its spec. */
const KINDS = {
  serviceentries: {
    kind: 'ServiceEntry',
    spec: fields({ hosts: texts, subjectAltNames: texts, resolution: text, location: text }),
  },
  destinationrules: { kind: 'DestinationRule', spec: fields({ host: text, trafficPolicy, subsets }) },
} as const;
export type IstioPlural = keyof typeof KINDS;
const PLURALS = Object.keys(KINDS) as readonly IstioPlural[];

function definitionOf(plural: IstioPlural): object {
  const { kind, spec } = KINDS[plural];
  const schema = { openAPIV3Schema: fields({ spec }) };
  return {
    metadata: { name: `${plural}.${ISTIO_GROUP}` },
    spec: {
      group: ISTIO_GROUP,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: VERSIONS.map((name) => ({ name, served: true, storage: name === 'v1', schema })),
    },
  };
}

/** Registers both kinds, and waits until they are served. */
export async function installIstio(api: Api): Promise<void> {
  for (const plural of PLURALS) await api.create(DEFINITIONS, definitionOf(plural));
  await until(() => Promise.all(PLURALS.map((plural) => api.get(`/apis/${ISTIO_GROUP}/v1/${plural}`))));
}

/** Removes them with all their objects, and waits until discovery knows of neither. */
export async function removeIstio(api: Api): Promise<void> {
  for (const plural of PLURALS) await api.remove(`${DEFINITIONS}/${plural}.${ISTIO_GROUP}`);
  await until(() =>
    api.get(`/apis/${ISTIO_GROUP}`).then(
      () => Promise.reject(new Error('still there')),
      () => {},
    ),
  );
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    try {
      await attempt();
      return;
    } catch (thrown) {
      if (waited >= LONGEST_MS) throw thrown;
      await sleep(50);
    }
  }
}

/** Creates objects, runs, and removes them again. */
export async function withObjects<T>(
  api: Api,
  objects: readonly (readonly [IstioPlural, Manifest])[],
  action: () => Promise<T>,
): Promise<T> {
  const placeOf = (plural: IstioPlural, { metadata }: Manifest) =>
    `/apis/${ISTIO_GROUP}/v1/namespaces/${metadata.namespace}/${plural}`;
  for (const [plural, object] of objects) {
    const { uid: _uid, creationTimestamp: _created, ...metadata } = object.metadata;
    await api.create(placeOf(plural, object), { ...object, metadata });
  }
  try {
    return await action();
  } finally {
    for (const [plural, object] of objects) {
      await api.remove(`${placeOf(plural, object)}/${object.metadata.name}`);
    }
  }
}
