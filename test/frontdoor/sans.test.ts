// What `sans` shows: every expected name against the identities behind its host, live and from files.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { destinationRule, serviceEntry, tlsRule } from '../mesh/istio.ts';
import { type Mesh, type MeshOptions, startMesh } from '../mesh/mesh.ts';
import { gather, type Manifest } from '../mesh/resources.ts';
import { type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment, type Part, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b'] as const;
const [A, B] = nodes;

const id = (account: string, domain = 'cluster.local') =>
  `spiffe://${domain}/ns/${account.replace('/', '/sa/')}`;

const folder = temporaryDirectory();
let meshes: Mesh[];
beforeEach(() => {
  meshes = [];
});
afterEach(async () => {
  await Promise.all(meshes.map((mesh) => mesh.close()));
});

async function ask(what: Scenario, line: string, options?: MeshOptions, spoil?: (mesh: Mesh) => void) {
  const mesh = await startMesh(what, options);
  meshes.push(mesh);
  spoil?.(mesh);
  const outcome = await run(line, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
  return { ...outcome, mesh };
}

let base: Promise<Scenario> | undefined;

/** What is made once, and with it these objects. */
async function shop(...parts: readonly Part[]): Promise<Scenario> {
  base ??= bareShop();
  const { serviceentries, destinationrules } = gather(parts.map((part) => part(at)));
  return { ...(await base), serviceentries, destinationrules };
}

/** web on both nodes (v1 and v2, of which v2 runs under another identity), cart, and pods that are not captured. */
function bareShop(): Promise<Scenario> {
  return scenario({
    at,
    nodes,
    workloads: [
      deployment('shop/web-v1', { on: [A], serviceAccount: 'web', labels: { app: 'web', version: 'v1' } }),
      deployment('shop/web-v2', { on: [B], serviceAccount: 'web2', labels: { app: 'web', version: 'v2' } }),
      statefulSet('shop/cart', { on: nodes }),
      deployment('data/plain', { on: [A], captured: false }),
    ],
    services: [
      { name: 'shop/web', vip: '10.0.0.1' },
      { name: 'shop/cart', vip: '10.0.0.2', subjectAltNames: [id('shop/cart'), id('shop/basket')] },
      { name: 'data/plain', vip: '10.0.0.3' },
      { name: 'data/web', vip: '10.0.0.4' },
      { name: 'shop/cart', vip: '10.0.0.5', host: 'cart.example', subjectAltNames: [id('shop/cart')] },
    ],
  });
}

interface Row {
  readonly namespace: string;
  readonly service: string | null;
  readonly host: string;
  readonly source: {
    readonly kind: string;
    readonly name: string;
    readonly subset: string;
    readonly port: number;
  };
  readonly name: string | null;
  readonly matches: number;
  readonly endpoints: readonly { readonly name: string; readonly refused: boolean }[];
  readonly status: string;
  readonly problems: readonly { readonly status: string; readonly reason: string }[];
}

/** The rows of DestinationRules and ServiceEntries. */
async function rowsOf(...parts: readonly Part[]): Promise<readonly Row[]> {
  const { stdout } = await ask(await shop(...parts), 'sans -o json');
  return (JSON.parse(stdout).items as readonly Row[]).filter(({ source }) => source.kind !== 'Service');
}

const brief = ({ host, name, matches, endpoints, status }: Row) =>
  `${host} ${name?.split('/').at(-1) ?? '-'} ${matches}/${endpoints.length} ${status}`;
const WEB = 'web.shop.svc.cluster.local';
const CART = 'cart.shop.svc.cluster.local';
const PLAIN = 'plain.data.svc.cluster.local';

describe('tables', () => {
  const office = () =>
    shop(
      tlsRule('shop/web', 'web', 'ISTIO_MUTUAL', id('shop/web')),
      destinationRule('infra/everything', '*.local', { trafficPolicy: { tls: { mode: 'DISABLE' } } }),
      destinationRule('shop/versions', CART, {
        trafficPolicy: {
          portLevelSettings: [
            {
              port: { number: 80 },
              tls: { mode: 'MUTUAL', subjectAltNames: [id('shop/cart'), id('shop/cart', 'old.example')] },
            },
          ],
        },
        subsets: [
          {
            name: 'v1',
            labels: { version: 'v1' },
            trafficPolicy: { tls: { mode: 'SIMPLE', subjectAltNames: ['cart.example'] } },
          },
        ],
      }),
      serviceEntry('shop/cart', {
        hosts: ['cart.example'],
        subjectAltNames: [id('shop/cart'), 'cart.example'],
      }),
      tlsRule('shop/typo', 'wbe', 'ISTIO_MUTUAL', id('shop/web')),
    );
  test.each([
    ['sans', 'sans'],
    ['sans-wide', 'sans -o wide -n shop'],
    ['sans-sorted', 'sans --sort-by matches,expected-name --no-headers'],
  ])('%s', async (name, line) => {
    const { code, stdout, stderr } = await ask(await office(), line);
    expectGolden('frontdoor', name, `${stdout}${stderr}`);
    expect(code).toBe(0);
  });
});

describe('the host of a rule', () => {
  const hit = async (namespace: string, host: string) =>
    (await rowsOf(tlsRule(`${namespace}/r`, host, 'ISTIO_MUTUAL', id('shop/web')))).map((row) =>
      row.service === null ? `none: ${row.host}` : `${row.namespace}/${row.service}`,
    );
  test.each([
    ['shop', 'web', ['shop/web']],
    ['data', 'web', ['data/web']],
    ['infra', 'web', ['none: web']],
    ['infra', WEB, ['shop/web']],
    ['infra', 'WEB.shop.svc.cluster.local', ['shop/web']],
    // Only names without a dot are completed.
    ['infra', 'web.shop', ['none: web.shop']],
    ['infra', '*.data.svc.cluster.local', ['data/plain', 'data/web']],
    ['infra', '*.example', ['shop/cart']],
    ['infra', '*.elsewhere', ['none: *.elsewhere']],
    ['infra', 'cart.example', ['shop/cart']],
    ['infra', 'constructor', ['none: constructor']],
  ])('of namespace %s, %s', async (namespace, host, services) => {
    expect((await hit(namespace, host)).toSorted()).toEqual(services);
  });

  test('of two rules of a namespace the more specific one counts, wherever the service is', async () => {
    const rule = (name: string, host: string) =>
      tlsRule(name, host, 'ISTIO_MUTUAL', id(`shop/${host.length}`));
    const rows = await rowsOf(
      rule('infra/all', '*'),
      rule('infra/data', '*.data.svc.cluster.local'),
      rule('infra/plain', PLAIN),
      rule('other/all', '*.local'),
    );
    const rulesOf = (host: string) =>
      rows
        .filter((row) => row.host === host)
        .map(({ source }) => source.name)
        .toSorted();
    expect(rulesOf(WEB)).toEqual(['all', 'all']);
    expect(rulesOf('web.data.svc.cluster.local')).toEqual(['all', 'data']);
    expect(rulesOf(PLAIN)).toEqual(['all', 'plain']);
    expect(rulesOf('cart.example')).toEqual(['all']);
  });
});

describe('what is compared', () => {
  const tls = (mode: string | undefined, ...subjectAltNames: readonly string[]) => ({
    mode,
    subjectAltNames,
  });

  test.each([
    ['ISTIO_MUTUAL', [id('shop/web'), id('shop/web2')], [`${WEB} web 1/2 OK`, `${WEB} web2 1/2 OK`]],
    ['ISTIO_MUTUAL', [id('shop/web*')], [`${WEB} web* 2/2 OK`]],
    ['ISTIO_MUTUAL', [id('shop/web')], [`${WEB} web 1/2 REFUSED`]],
    ['MUTUAL', [id('shop/web')], [`${WEB} web 1/2 REFUSED`]],
    ['MUTUAL', ['web.example'], [`${WEB} web.example 0/2 NOT-JUDGED`]],
    ['ISTIO_MUTUAL', ['web.example'], [`${WEB} web.example 0/2 REFUSED`]],
    ['SIMPLE', [id('shop/web')], [`${WEB} web 1/2 NOT-JUDGED`]],
    ['LATER_MODE', [id('shop/web')], [`${WEB} web 1/2 NOT-JUDGED`]],
    ['ISTIO_MUTUAL', [], []],
    ['SIMPLE', [], []],
    ['DISABLE', [], [`${WEB} - 0/2 TLS-DISABLED`]],
    [undefined, [id('shop/web')], [`${WEB} web 1/2 TLS-DISABLED`]],
    ['ISTIO_MUTUAL', [id('shop/web*'), id('shop/web*')], [`${WEB} web* 2/2 OK`]],
  ])('mode %s with %j', async (mode, names, expected) => {
    const rows = await rowsOf(
      destinationRule('shop/r', 'web', { trafficPolicy: { tls: tls(mode, ...names) } }),
    );
    expect(rows.map(brief)).toEqual(expected);
  });

  test('DISABLE without HBONE behind it is only told where names are given', async () => {
    const rows = await rowsOf(
      tlsRule('data/a', 'plain', 'DISABLE'),
      tlsRule('data/b', 'plain', 'DISABLE', 'x'),
    );
    expect(rows.map(brief)).toEqual([`${PLAIN} x 0/1 NOT-JUDGED`]);
  });

  test('a * is no prefix where ztunnel reads it', async () => {
    const rows = await rowsOf(serviceEntry('shop/e', { hosts: [CART], subjectAltNames: [id('shop/c*')] }));
    expect(rows.map(brief)).toEqual([`${CART} c* 0/2 UNMATCHED`]);
    expect(rows[0]?.problems[0]?.reason).toMatch(/^ztunnel takes its \* literally; /);
  });

  test('all that is wrong with a name is told, worst first, and who is refused', async () => {
    const names = [id('shop/web'), id('shop/web', 'old.example'), id('shop/gone')];
    const rows = await rowsOf(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', ...names));
    expect(rows.map(({ problems }) => problems.map(({ status }) => status))).toEqual([
      ['REFUSED', 'UNMATCHED'],
      ['REFUSED'],
      ['REFUSED', 'UNKNOWN-DOMAIN'],
    ]);
    expect(rows[0]?.endpoints.map(({ name, refused }) => [name.slice(0, 6), refused])).toEqual([
      ['web-v1', false],
      ['web-v2', true],
    ]);
  });

  test('a subset is about its own endpoints, a port about all', async () => {
    const rows = await rowsOf(
      destinationRule('shop/r', 'web', {
        trafficPolicy: {
          portLevelSettings: [{ port: { number: 80 }, tls: tls('ISTIO_MUTUAL', id('shop/web')) }],
        },
        subsets: [
          {
            name: 'v1',
            labels: { version: 'v1' },
            trafficPolicy: { tls: tls('ISTIO_MUTUAL', id('shop/web')) },
          },
          {
            name: 'v2',
            labels: { version: 'v2' },
            trafficPolicy: { tls: tls('ISTIO_MUTUAL', id('shop/web')) },
          },
          {
            name: 'v3',
            labels: { version: 'v3' },
            trafficPolicy: { tls: tls('ISTIO_MUTUAL', id('shop/web')) },
          },
        ],
      }),
    );
    expect(rows.map((row) => [row.source.subset, row.source.port, brief(row)])).toEqual([
      [null, 80, `${WEB} web 1/2 REFUSED`],
      ['v2', null, `${WEB} web 0/1 REFUSED`],
      ['v3', null, `${WEB} web 0/0 NO-ENDPOINTS`],
      ['v1', null, `${WEB} web 1/1 OK`],
    ]);
  });

  test('the general settings bind nobody where every port of a service has its own', async () => {
    const rule = (port: number) => ({
      trafficPolicy: {
        tls: tls('ISTIO_MUTUAL', id('shop/none')),
        portLevelSettings: [{ port: { number: port } }],
      },
    });
    expect(await rowsOf(destinationRule('shop/r', 'web', rule(80)))).toEqual([]);
    expect(await rowsOf(destinationRule('shop/r', 'web', rule(81)))).toHaveLength(1);
  });
});

describe('TARGET and filters', () => {
  const both = () =>
    shop(
      tlsRule('shop/web', 'web', 'ISTIO_MUTUAL', id('shop/web*')),
      tlsRule('shop/typo', 'wbe', 'ISTIO_MUTUAL', id('shop/web')),
    );
  test.each([
    ['', 5],
    ['-n shop', 5],
    ['-n data', 0],
    ['deployment/web-v1.shop', 1],
    ['statefulset/cart.shop', 3],
    ['deployment/plain.data', 0],
    ['-l version=v2', 1],
    ['node/node-a', 5],
    [id('shop/web2'), 1],
  ])('%s leaves %d', async (args, rows) => {
    const { code, stdout } = await ask(await both(), `sans --no-headers ${args}`);
    expect(stdout.split('\n').length - 1).toBe(rows);
    expect(code).toBe(0);
  });

  test('check with TARGET tells of the services that it is behind', async () => {
    const what = await shop(tlsRule('shop/web', 'web', 'ISTIO_MUTUAL', id('shop/none')));
    const codes = async (target: string) =>
      JSON.parse((await ask(what, `check ${target} -o json`)).stdout).items.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codes('deployment/web-v2.shop')).toEqual(['SAN-REFUSED', 'SAN-UNMATCHED']);
    expect(await codes('deployment/plain.data')).toEqual([]);
  });

  test('check counts each refused endpoint once for a list', async () => {
    const what = await shop(tlsRule('shop/web', 'web', 'ISTIO_MUTUAL', id('shop/web'), id('shop/none')));
    const { stdout } = await ask(what, 'check --only SAN-REFUSED -o json');
    const [{ objects, workloads, pods }] = JSON.parse(stdout).items;
    expect(objects.map(({ kind, node }: { kind: string; node: string }) => [kind, node])).toEqual([
      ['Pod', B],
    ]);
    expect([workloads, pods]).toEqual([1, 1]);
  });
});

describe('what is asked', () => {
  const quiet = () => shop();
  const paths = (mesh: Mesh) =>
    mesh.requests
      .map((request) => request.path)
      .filter((each) => each.includes('istio.io'))
      .toSorted();

  test.each([
    [['v1', 'v1beta1'], 'v1'],
    [['v1beta1', 'v1'], 'v1beta1'],
    [['v1alpha3'], 'v1alpha3'],
    [['v2', 'v1beta1'], 'v1beta1'],
  ])('of the versions %j it is %s', async (istioVersions, version) => {
    const what = { ...(await shop(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/web')))), istioVersions };
    const { code, stdout, mesh } = await ask(what, 'sans');
    expect(stdout).toMatch(/DestinationRule\/r/);
    expect(code).toBe(0);
    expect(paths(mesh)).toEqual([
      '/apis/networking.istio.io',
      `/apis/networking.istio.io/${version}/destinationrules`,
      `/apis/networking.istio.io/${version}/serviceentries`,
    ]);
    expect(mesh.requests.find(({ path: asked }) => asked.endsWith('rules'))?.accept).toBe('application/json');
  });

  test.each(['serviceentries', 'destinationrules'])(
    'a version that lacks %s is passed over for the next',
    async (resource) => {
      const what = await shop(
        tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/web')),
        serviceEntry('shop/e', { hosts: ['x.example'], subjectAltNames: [id('shop/web')] }),
      );
      const { stdout } = await ask(what, 'sans', {}, (mesh) =>
        mesh.misbehave(`/apis/networking.istio.io/v1/${resource}`, {
          how: 'refuse',
          status: 404,
          message: 'no',
        }),
      );
      expect(stdout).toContain('DestinationRule/r');
      expect(stdout).toContain('ServiceEntry/e');
    },
  );

  const NOT_KNOWN = 'warning: Not all names that clients expect are known: ';

  test('without the definitions, one sentence says so and the rest goes on', async () => {
    const what = { ...(await quiet()), istioVersions: [] };
    const shown = await ask(what, 'sans');
    expect(shown.stdout).toMatch(/^shop +cart +Service\/cart +\S+\/cart +2\/2 +OK/m);
    expect(shown.stderr).toContain(`${NOT_KNOWN}the cluster has no ServiceEntries and DestinationRules.\n`);
    expect(shown.stderr.match(/^warning: /gm)).toHaveLength(1);
    expect(shown.code).toBe(0);
    const checked = await ask(what, 'check --deep --only SAN-REFUSED,SAN-NOT-SPIFFE,SAN-NO-ENDPOINTS');
    expect(checked.stderr).toContain(
      'Not evaluated: SAN-REFUSED (the cluster has no DestinationRules); SAN-NO-ENDPOINTS (the cluster has no ServiceEntries and DestinationRules).',
    );
    expect(checked.code).toBe(0);
  });

  test.each([
    [['serviceentries', 'destinationrules'], 'ServiceEntries and DestinationRules are forbidden'],
    [['destinationrules'], 'DestinationRules are forbidden'],
  ])('without a right to %j likewise', async (lacking, why) => {
    const lists = [
      'pods',
      'replicasets',
      'jobs',
      'statefulsets',
      'leases',
      'serviceentries',
      'destinationrules',
    ];
    const rules = [
      { verbs: ['list'], resources: lists.filter((each) => !lacking.includes(each)) },
      { verbs: ['get', 'create'], resources: ['pods/portforward'] },
    ];
    const shown = await ask(await quiet(), 'sans', { rules });
    expect(shown.stderr).toContain(`${NOT_KNOWN}${why}.\n`);
    expect(shown.code).toBe(0);
    const checked = await ask(await quiet(), 'check --deep --ignore SAN-UNMATCHED', { rules });
    expect(checked.stderr).toContain(`SAN-NO-ENDPOINTS (${why})`);
    expect(checked.stderr).not.toMatch(/^warning|ClusterRole/m);
    expect(checked.code).toBe(0);
  });

  test.each([
    [
      'a list that fails',
      '/apis/networking.istio.io/v1/destinationrules',
      { how: 'refuse', status: 500, message: 'etcd is away' },
    ],
    [
      'discovery that answers nonsense',
      '/apis/networking.istio.io',
      { how: 'reply', body: '{"versions": 7}' },
    ],
    [
      'discovery that fails',
      '/apis/networking.istio.io',
      { how: 'refuse', status: 500, message: 'etcd is away' },
    ],
    [
      'a list of something else',
      '/apis/networking.istio.io/v1/destinationrules',
      {
        how: 'reply',
        body: '{"apiVersion":"networking.istio.io/v1","kind":"DestinationRuleList","items":[{"metadata":{"name":"x"},"spec":{"host":[]}}]}',
      },
    ],
  ] as const)('%s is partial', async (_, where, what) => {
    const spoil = (mesh: Mesh) => mesh.misbehave(where, what);
    const shown = await ask(await quiet(), 'sans', {}, spoil);
    expect(shown.stderr).toMatch(
      /^warning: the API server .*; not all names that clients expect are known\.$/m,
    );
    expect(shown.stderr.match(/^warning/gm)).toHaveLength(1);
    expect(shown.stdout).toContain('Service/cart');
    expect(shown.code).toBe(1);
    const checked = await ask(await quiet(), 'check --ignore SAN-UNMATCHED', {}, spoil);
    expect(checked.stderr).toMatch(/Not evaluated: .*SAN-NO-ENDPOINTS \(.*DestinationRules failed\)/);
    expect(checked.code).toBe(3);
  });

  test('nothing of Istio where it is not wanted', async () => {
    expect(paths((await ask(await quiet(), 'sans --no-owners')).mesh)).toEqual([]);
    expect(paths((await ask(await quiet(), 'check --only EXPIRED')).mesh)).toEqual([]);
    expect(paths((await ask(await quiet(), 'certs')).mesh)).toEqual([]);
  });

  test('a ztunnel that fails is named, and the names are shown', async () => {
    const what = await quiet();
    const { code, stdout, stderr } = await ask(what, 'sans', {}, (mesh) =>
      mesh.misbehave(ztunnelOn(what, A), { how: 'error-channel' }),
    );
    expect(stdout).toContain('Service/cart');
    expect(stderr).toMatch(/^error: ztunnel .*node node-a/m);
    expect(code).toBe(1);
  });

  test('a mesh that expects nothing is a sentence', async () => {
    const { code, stdout, stderr } = await ask(await scenario({ at, nodes, workloads: [] }), 'sans');
    expect([code, stdout, stderr]).toEqual([0, '', 'no subjectAltNames are expected of any service\n']);
  });
});

describe('from files', () => {
  const save = (name: string, content: unknown) => {
    const file = path.join(folder, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  async function saved(...parts: readonly Part[]) {
    const what = await shop(...parts);
    const dump = save('a.json', String(what.ztunnels[ztunnelOn(what, A)]));
    return { what, dump };
  }
  const list = (items: readonly Manifest[]) => ({ apiVersion: 'v1', kind: 'List', items });

  test('dumps alone tell what ztunnel was told, and what is not known', async () => {
    const { dump } = await saved();
    const { code, stdout, stderr } = await run(`sans -f ${dump}`, { clock });
    expect(stdout).toMatch(/^shop +cart +Service\/cart +\S+\/basket +0\/2 +UNMATCHED/m);
    expect(stderr).toContain(
      'are known: without ServiceEntries and DestinationRules; --resources takes them.\n',
    );
    expect(code).toBe(0);
  });

  test.each(['v1', 'v1beta1', 'v1alpha3'])(
    '--resources takes rules of %s, as JSON and as YAML',
    async (version) => {
      const { what, dump } = await saved(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/web')));
      const [rule] = what.destinationrules.map((each) => ({
        ...each,
        apiVersion: `networking.istio.io/${version}`,
      }));
      const yaml = [
        `apiVersion: networking.istio.io/${version}`,
        'kind: DestinationRule',
        'metadata: {name: r, namespace: shop}',
        `spec: {host: web, trafficPolicy: {tls: {mode: ISTIO_MUTUAL, subjectAltNames: ["${id('shop/web')}"]}}}`,
      ].join('\n');
      for (const file of [save('r.json', list([rule!])), save('r.yaml', yaml)]) {
        const { code, stdout, stderr } = await run(`sans -f ${dump} --resources ${file}`, { clock });
        expect(stdout).toMatch(/^shop +web +DestinationRule\/r +\S+\/web +1\/2 +REFUSED/m);
        expect(stderr).not.toContain('Left out');
        expect(code).toBe(0);
      }
    },
  );

  test('without labels of pods, a subset may mean any endpoint, and none is called refused', async () => {
    const subsets = [
      {
        name: 'v2',
        labels: { version: 'v2' },
        trafficPolicy: { tls: { mode: 'ISTIO_MUTUAL', subjectAltNames: [id('shop/web')] } },
      },
    ];
    const { what, dump } = await saved(destinationRule('shop/r', 'web', { subsets }));
    const rules = save('r.json', list(what.destinationrules));
    const pods = save('p.json', list(what.pods));
    const status = async (resources: string) => {
      const { stdout } = await run(`sans -f ${dump} ${resources} -o json`, { clock });
      return (JSON.parse(stdout).items as readonly Row[])
        .filter(({ source }) => source.name === 'r')
        .map(brief);
    };
    expect(await status(`--resources ${rules}`)).toEqual([`${WEB} web 1/2 OK`]);
    expect(await status(`--resources ${rules} --resources ${pods}`)).toEqual([`${WEB} web 0/1 REFUSED`]);
  });

  test.each([
    ['a host that is a number', { host: 7 }, /spec\.host there should be text/],
    [
      'names that are no list',
      { host: 'web', trafficPolicy: { tls: { subjectAltNames: 'x' } } },
      /subjectAltNames there should be a list/,
    ],
  ])('%s is refused with its place', async (_, spec, says) => {
    const { dump } = await saved();
    const rule = {
      apiVersion: 'networking.istio.io/v1',
      kind: 'DestinationRule',
      metadata: { name: 'r' },
      spec,
    };
    const { code, stderr } = await run(`sans -f ${dump} --resources ${save('r.json', rule)}`, { clock });
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  });

  test('names that would write to a terminal, or into prototypes, are text', async () => {
    const text = `{"apiVersion":"networking.istio.io/v1","kind":"DestinationRule","metadata":{"name":"r","namespace":"shop"},
      "spec":{"host":"web","subsets":[{"name":"__proto__","labels":{"__proto__":"x"},"trafficPolicy":{"tls":{"mode":"ISTIO_MUTUAL","subjectAltNames":["\\u001b[2J"]}}}]}}`;
    const { what, dump } = await saved();
    const resources = `--resources ${save('r.json', text)} --resources ${save('p.json', list(what.pods))}`;
    const { stdout, code } = await run(`sans -f ${dump} ${resources}`, { clock });
    expect(stdout).toMatch(/DestinationRule\/r subset __proto__ +\S*\[2J +0\/0 +NO-ENDPOINTS/);
    expect(stdout).not.toContain('\u001b');
    expect(code).toBe(0);
  });
});
