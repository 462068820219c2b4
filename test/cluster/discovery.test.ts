// Tests of where ztunnels are looked for when not everywhere is allowed.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../src/base/errors.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import type { Scenario } from '../mesh/scenario.ts';
import { told } from './failure.ts';
import { connectTo, SELECTOR, smallScenario } from './meshcluster.ts';

const ALL = { selector: SELECTOR, namespace: undefined };
const inNamespaces = (...namespaces: string[]) => [{ verbs: ['list'], resources: ['pods'], namespaces }];
let scenario: Scenario;
let mesh: Mesh;
beforeAll(async () => {
  scenario = await smallScenario();
  mesh = await startMesh(scenario, {
    users: {
      none: { name: 'none', rules: [] },
      istio: { name: 'istio', rules: inNamespaces('istio-system', 'shop') },
      shop: { name: 'shop', rules: inNamespaces('shop') },
    },
    namespace: 'shop',
  });
});
afterAll(() => mesh.close());

describe('ztunnels', () => {
  test('are found by label in all namespaces, sorted, in any phase, with their nodes', async () => {
    const cluster = await connectTo(mesh.kubeconfig);
    const found = await cluster.findZtunnels(ALL);
    const expected = scenario.pods
      .filter((pod) => pod.metadata.labels?.app === 'ztunnel')
      .map(({ metadata, spec }) => `${metadata.namespace}/${metadata.name} ${spec?.nodeName}`)
      .sort();
    expect(found.map(({ namespace, name, node }) => `${namespace}/${name} ${node}`)).toEqual(expected);
    expect(found[0]?.pod?.status?.phase).toBe('Running');
    expect(cluster.warnings()).toEqual([]);
    expect(await cluster.identify(found[0]!, 'elsewhere')).toBe(found[0]);
    expect(cluster.namespace).toBe('shop');
    await cluster.close();
  });

  test('are looked for in likely namespaces where all is forbidden, each once, and that is said', async () => {
    const before = mesh.requests.length;
    const cluster = await connectTo(mesh.kubeconfigFor('istio'), { ztunnelNamespace: 'ztunnels' });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    expect(mesh.requests.slice(before).map(({ path }) => path)).toEqual([
      '/api/v1/pods',
      '/api/v1/namespaces/ztunnels/pods',
      '/api/v1/namespaces/shop/pods',
      '/api/v1/namespaces/istio-system/pods',
    ]);
    expect(cluster.warnings()).toEqual([
      'Pods may not be listed in all namespaces, so ztunnels were searched for in shop and istio-system only; --ztunnel-namespace names another.',
    ]);
    await cluster.close();
  });

  test('a namespace that is likely for two reasons is asked once', async () => {
    const before = mesh.requests.length;
    const cluster = await connectTo(mesh.kubeconfigFor('istio'), { ztunnelNamespace: 'istio-system' });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    expect(mesh.requests).toHaveLength(before + 3);
    await cluster.close();
  });

  test('an empty likely namespace is an answer', async () => {
    const cluster = await connectTo(mesh.kubeconfigFor('shop'));
    expect(await cluster.findZtunnels(ALL)).toEqual([]);
    expect(cluster.warnings()[0]).toContain('in shop only');
    await cluster.close();
  });

  test('nothing allowed at all is the first refusal, for all namespaces', async () => {
    const cluster = await connectTo(mesh.kubeconfigFor('none'));
    const error = await told(cluster.findZtunnels(ALL));
    expect(error.name).toBe('ForbiddenError');
    expect(error.hint).toContain('in all namespaces');
    await cluster.close();
  });

  test('a namespace that is named is the only one', async () => {
    const before = mesh.requests.length;
    const cluster = await connectTo(mesh.kubeconfigFor('none'));
    const error = await told(cluster.findZtunnels({ ...ALL, namespace: 'istio-system' }));
    expect(error.hint).toContain('in namespace istio-system');
    expect(mesh.requests).toHaveLength(before + 1);
    await cluster.close();
  });

  test('a bad selector is a usage error before anything is asked', async () => {
    const before = mesh.requests.length;
    const cluster = await connectTo(mesh.kubeconfig);
    await expect(cluster.findZtunnels({ ...ALL, selector: 'app in' })).rejects.toThrow(UsageError);
    expect(mesh.requests).toHaveLength(before);
    await cluster.close();
  });
});
