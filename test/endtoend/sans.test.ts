// Expected names on a real API server: each finding with the object that makes it and one near it, and what is not there.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { destinationRule, serviceEntry, tlsRule } from '../mesh/istio.ts';
import { ISTIO_GROUP } from '../mesh/resources.ts';
import type { Part } from '../mesh/workloads.ts';
import { type Api, openApi } from './api.ts';
import { type IstioPlural, installIstio, removeIstio, VERSIONS, withObjects } from './istio.ts';
import { ztunnel } from './program.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();
const ask = (argv: string, user = 'reader') =>
  ztunnel(`${argv} --kubeconfig ${plane.kubeconfig} --context ${user}`);

let api: Api;
beforeAll(() => {
  api = openApi(plane);
});
afterAll(() => api.close());

function objectsOf(parts: readonly Part[]) {
  const kinds = ['serviceentries', 'destinationrules'] as const satisfies readonly IstioPlural[];
  return parts
    .map((part) => part(plane.at))
    .flatMap((made) =>
      kinds.flatMap((plural) => (made[plural] ?? []).map((object) => [plural, object] as const)),
    );
}

const check = async (args: string) => {
  const { code, stdout, stderr } = await ask(`check -o json ${args}`);
  return { code, stderr, items: JSON.parse(stdout).items, summary: JSON.parse(stdout).summary };
};

const GAP = 'the cluster has no ServiceEntries and DestinationRules';

describe('without the definitions', () => {
  test('sans shows what ztunnel was told, and says so in one sentence', async () => {
    const { code, stdout, stderr } = await ask('sans');
    expect(stdout).toMatch(/^shop +cart +Service\/cart +spiffe:\S+\/cart +3\/3 +OK$/m);
    expect(stderr.match(/^warning: .*$/gm)).toEqual([
      `warning: Not all names that clients expect are known: ${GAP}.`,
    ]);
    expect(code).toBe(0);
  });

  test('check stays complete', async () => {
    const { code, summary } = await check('--only SAN-UNMATCHED,SAN-NO-ENDPOINTS');
    expect(summary.notEvaluated).toEqual(
      ['SAN-UNMATCHED', 'SAN-NO-ENDPOINTS'].map((each) => ({ code: each, why: GAP })),
    );
    expect(code).toBe(0);
  });
});

describe('with the definitions', () => {
  beforeAll(() => installIstio(api));
  afterAll(() => removeIstio(api));

  const id = (account: string, domain = 'cluster.local') =>
    `spiffe://${domain}/ns/${account.replace('/', '/sa/')}`;
  const WEB = 'web.shop.svc.cluster.local';
  const entry = (...subjectAltNames: readonly string[]) =>
    serviceEntry('shop/e', { hosts: [WEB], subjectAltNames });
  interface Case {
    readonly has: Part;
    readonly lacks: Part;
    readonly code: number;
    readonly names: string;
  }
  const CASES: Readonly<Record<string, Case>> = {
    'SAN-REFUSED': {
      has: tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/api')),
      lacks: tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/api'), id('shop/web')),
      code: 2,
      names: 'web-',
    },
    'SAN-TLS-DISABLED': {
      has: destinationRule('infra/r', WEB, {
        trafficPolicy: { portLevelSettings: [{ port: { number: 80 }, tls: { mode: 'DISABLE' } }] },
      }),
      lacks: tlsRule('infra/r', WEB, 'SIMPLE'),
      code: 1,
      names: 'web',
    },
    'SAN-NOT-SPIFFE': {
      has: entry('web.example', id('shop/web')),
      lacks: tlsRule('shop/r', 'web', 'MUTUAL', 'web.example'),
      code: 1,
      names: 'web',
    },
    'SAN-UNKNOWN-DOMAIN': {
      has: entry(id('shop/web', 'old.example')),
      lacks: entry(id('shop/api')),
      code: 1,
      names: 'web',
    },
    'SAN-UNMATCHED': {
      has: entry(id('shop/api')),
      lacks: entry(id('shop/web')),
      code: 1,
      names: 'web',
    },
    'SAN-NO-ENDPOINTS': {
      has: tlsRule('infra/r', 'web', 'ISTIO_MUTUAL', id('shop/web')),
      lacks: tlsRule('infra/r', '*.svc.cluster.local', 'ISTIO_MUTUAL', id('shop/*'), 'spiffe://*'),
      code: 0,
      names: 'web',
    },
  };

  test.each(Object.entries(CASES))('%s', async (finding, { has, lacks, code, names }) => {
    const found = await withObjects(api, objectsOf([has]), () => check(`--only ${finding}`));
    expect(found.items.map((item: { code: string }) => item.code)).toEqual([finding]);
    expect(found.items[0].objects[0].name.startsWith(names)).toBe(true);
    expect([found.code, found.stderr]).toEqual([code, '']);
    const near = await withObjects(api, objectsOf([lacks]), () => check(`--only ${finding}`));
    expect([near.code, near.items, near.summary.notEvaluated]).toEqual([0, [], []]);
  });

  test('sans names the ServiceEntry and the part of the rule', async () => {
    const subsets = [
      {
        name: 'v1',
        labels: { app: 'web' },
        trafficPolicy: {
          portLevelSettings: [
            { port: { number: 80 }, tls: { mode: 'ISTIO_MUTUAL', subjectAltNames: [id('shop/web')] } },
          ],
        },
      },
    ];
    const parts = [entry(id('shop/web')), destinationRule('shop/r', 'web', { subsets })];
    const { code, stdout, stderr } = await withObjects(api, objectsOf(parts), () => ask('sans --no-headers'));
    expect(stdout).toMatch(/^shop +web +ServiceEntry\/e +\S+\/web +2\/2 +OK$/m);
    expect(stdout).toMatch(/^shop +web +DestinationRule\/r subset v1 port 80 +\S+\/web +2\/2 +OK$/m);
    expect(stderr).not.toContain('warning');
    expect(code).toBe(0);
  });

  test.each(VERSIONS)('a version that is no longer served does not matter: only %s is', async (served) => {
    const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/destinationrules.${ISTIO_GROUP}`;
    const { spec } = (await api.get(definition)) as unknown as {
      spec: { versions: readonly { name: string }[] };
    };
    const serve = (isServed: (name: string) => boolean) =>
      api.patch(definition, {
        spec: { versions: spec.versions.map((each) => ({ ...each, served: isServed(each.name) })) },
      });
    const rule = objectsOf([tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/web'))]);
    await withObjects(api, rule, async () => {
      await serve((name) => name === served);
      try {
        const listed = () => ask('sans --no-headers');
        await expect(eventually(listed, ({ stdout }) => stdout.includes('DestinationRule/r'))).resolves.toBe(
          true,
        );
      } finally {
        await serve(() => true);
        await eventually(
          () => api.get(`/apis/${ISTIO_GROUP}/v1/destinationrules`).catch(() => undefined),
          (found) => found !== undefined,
        );
      }
    });
  });

  test('without the right, one sentence says so and check stays complete', async () => {
    const { code, stdout, stderr } = await ask('sans --as jane --as-group no-istio', 'admin');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('User "jane" cannot list resource "pods"');
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [
      { apiGroups: ['', 'apps', 'batch', 'coordination.k8s.io'], resources: ['*'], verbs: ['list'] },
      { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] },
    ];
    await api.create(`${rbac}/clusterroles`, { metadata: { name: 'no-istio' }, rules });
    await api.create(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'no-istio' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'no-istio' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'no-istio' }],
    });
    await api.untilAllowed('jane', ['no-istio'], { verb: 'list', resource: 'pods' });
    const shown = await ask('sans --as jane --as-group no-istio', 'admin');
    expect(shown.stderr.match(/^warning: .*$/gm)).toEqual([
      'warning: Not all names that clients expect are known: ServiceEntries and DestinationRules are forbidden.',
    ]);
    expect(shown.code).toBe(0);
    const checked = await ask('check --only SAN-REFUSED --as jane --as-group no-istio', 'admin');
    expect(checked.stderr).toContain('Not evaluated: SAN-REFUSED (DestinationRules are forbidden).');
    expect(checked.code).toBe(0);
  });
});

/** Tries again for a while; true once it holds. */
async function eventually<T>(attempt: () => Promise<T>, holds: (value: T) => boolean): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    if (holds(await attempt())) return true;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}
