// Each finding of `check`: a mesh that has it, and one near it that has not.

import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/base/json.ts';
import { FINDING_CODES, type FindingCode } from '../../src/model/findings/codes.ts';
import { FINDINGS } from '../../src/model/findings/table.ts';
import { authoritiesAt } from '../mesh/authorities.ts';
import type { Condition } from '../mesh/certificates.ts';
import { entryBy, withDump, withEntries, withEntry, withObjects, withWorkloads } from '../mesh/edit.ts';
import { destinationRule, serviceEntry, tlsRule } from '../mesh/istio.ts';
import { startMesh } from '../mesh/mesh.ts';
import { createIntermediate, createRoot, validity } from '../mesh/pki.ts';
import type { Manifest } from '../mesh/resources.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { barePod, deployment, type Part, statefulSet } from '../mesh/workloads.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const nodes = ['node-a', 'node-b', 'node-c'] as const;
const [A, B, C] = nodes;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A healthy shop, and what is changed about it. */
function shop(spec: Partial<MeshSpec> = {}): Promise<Scenario> {
  return scenario({ at, nodes, ...spec, workloads: [...healthy, ...(spec.workloads ?? [])] });
}
const healthy = [deployment('shop/web', { on: nodes }), statefulSet('shop/cart', { on: nodes })];

/** shop/web on node-a in a condition. */
const webIs = (condition: Condition) => () => shop({ certificates: { [`shop/web@${A}`]: condition } });
const webSays = (reason: string) => webIs({ state: `Unavailable: ${reason}` });
const web = 'spiffe://cluster.local/ns/shop/sa/web';

interface Case {
  readonly has: () => Promise<Scenario>;
  readonly lacks: () => Promise<Scenario>;
  /** Seconds that the local clock is ahead, in the case and near it. */
  readonly ahead?: readonly [has: number, lacks: number];
  /** What is asked besides. */
  readonly args?: string;
  /** A ztunnel that hangs. */
  readonly hangs?: (mesh: Scenario) => string;
  /** The first object's name, and a part of what is particular about it. */
  readonly names: string;
  readonly tells?: string;
}

const unavailable = (reason: string, near: string): Case => ({
  has: webSays(reason),
  lacks: webSays(near),
  names: 'shop/web',
  tells: reason,
});

const id = (account: string, domain = 'cluster.local') =>
  `spiffe://${domain}/ns/${account.replace('/', '/sa/')}`;
const webService = { name: 'shop/web', vip: '10.0.0.1' };
/** The shop with services, one of them for pods that are not captured, and what clients expect of them. */
const expecting = (...parts: readonly Part[]) =>
  shop({
    services: [
      webService,
      { name: 'shop/plain', vip: '10.0.0.2' },
      { name: 'shop/web', vip: '10.0.0.3', host: 'web.example' },
    ],
    workloads: [deployment('shop/plain', { on: [A], captured: false }), ...parts],
  });

const denied =
  'signing gRPC error (The caller does not have permission to execute the specified operation): no';
const unauthenticated = 'signing gRPC error (The request does not have valid authentication credentials): ';
const badToken = `${unauthenticated}request authenticate failure`;
const notTrusted = `${unauthenticated}request impersonation authentication failure`;
const refusedTtl =
  'signing gRPC error (Client specified an invalid argument): CSR signing error (requested TTL 8760h0m0s is greater than the max allowed TTL 2160h0m0s)';

const CASES: Readonly<Record<FindingCode, Case>> = {
  'CA-UNREACHABLE': unavailable(
    'signing gRPC error (Unknown error): client error (Connect)',
    'signing gRPC error (Unknown error): the CA is on fire',
  ),
  'CA-UNAUTHENTICATED': unavailable(badToken, notTrusted),
  'CA-NOT-TRUSTED': unavailable(notTrusted, badToken),
  'CA-DENIED': unavailable(denied, badToken),
  'CA-TTL-REFUSED': {
    ...unavailable(refusedTtl, refusedTtl.replace('greater', 'other')),
    tells: 'asks for 365d0h, the CA allows 90d0h',
  },
  'CA-NOT-READY': unavailable(
    'signing gRPC error (Internal error): CSR signing error (Istio CA is not ready)',
    'signing gRPC error (Internal error): CSR signing error (Istio CA is not there)',
  ),
  'CA-UNEXPECTED-SAN': unavailable(`did not find expected SAN: ${web}`, `found no SAN: ${web}`),
  'CA-EMPTY-CHAIN': unavailable(`chain returned from CA is empty for: ${web}`, 'the chain is empty'),
  'CA-UNREADABLE': unavailable(
    'failed to create CSR: invalid root certificate: bad DER',
    'failed to send CSR',
  ),
  'WORKLOAD-UNKNOWN': unavailable('workload is unknown: web', 'workload is known: web'),
  UNAVAILABLE: unavailable('something that no release has said yet', denied),
  MISMATCH: { has: webIs('MISMATCH'), lacks: webIs('UNTRUSTED'), names: 'shop/web', tells: 'web-canary' },
  'NOT-YET-VALID': {
    has: webIs({ validFrom: 31, validTo: DAY }),
    lacks: webIs({ validFrom: 30, validTo: DAY }),
    names: 'shop/web',
  },
  EXPIRED: {
    has: webIs({ validFrom: -DAY, validTo: 0 }),
    lacks: webIs({ validFrom: -DAY, validTo: 1 }),
    names: 'shop/web',
  },
  UNTRUSTED: {
    has: webIs('UNTRUSTED'),
    lacks: webIs('ROTATED'),
    names: 'shop/web',
    tells: 'elsewhere.example',
  },
  MISSING: {
    has: () => late('MISSING', 61),
    lacks: () => late('OK', 61),
    names: 'shop/late',
    tells: 'no ztunnel on this node lists it',
  },
  'ZTUNNEL-EMPTY': {
    has: async () =>
      withDump(await shop(), B, (dump) => ({ ...dump, certificates: [], workloads: [], workloadState: {} })),
    lacks: async () =>
      withDump(await shop(), B, (dump) => ({ ...dump, certificates: [], workloadState: {} })),
    names: 'istio-system/ztunnel-',
  },
  'NOT-ENROLLED': {
    has: async () => withEntry(await latePod(61), A, 'late', () => undefined),
    lacks: async () => withEntry(await latePod(60), A, 'late', () => undefined),
    names: 'shop/late',
    tells: 'started 1m1s ago',
  },
  'PROXY-PENDING': {
    has: async () => withEntry(await latePod(61), A, 'late', (entry) => ({ ...entry, state: 'Pending' })),
    lacks: async () => withEntry(await latePod(60), A, 'late', (entry) => ({ ...entry, state: 'Pending' })),
    names: 'shop/late',
    tells: 'its proxy is Pending',
  },
  'ENROLLED-OTHERWISE': {
    has: () => unknownPod(61),
    lacks: () => unknownPod(60),
    names: 'shop/late',
    tells: 'handed over with account late; istiod has no such workload',
  },
  'PROTOCOL-DIFFERS': {
    has: () => plainPodSaid({ protocol: 'HBONE' }),
    lacks: () => plainPodSaid({ protocol: 'HBONE', nativeTunnel: true }),
    names: 'shop/plain',
    tells: 'istiod says HBONE',
  },
  'STALE-CONFIG': {
    has: () => unknownPod(61),
    lacks: () => unknownPod(60),
    names: 'istio-system/ztunnel-',
    tells: 'lacks 1 pod, which started 1m1s ago (shop/late)',
  },
  'CAPTURE-PENDING': {
    has: () => shop({ workloads: [barePod('shop/late', { on: A, captured: 'pending', ageSeconds: 61 })] }),
    lacks: () => shop({ workloads: [barePod('shop/late', { on: A, captured: 'pending', ageSeconds: 60 })] }),
    names: 'shop/late',
  },
  'NODE-WITHOUT-ZTUNNEL': {
    has: () => shop({ workloads: [barePod('shop/alone', { on: 'node-d' })] }),
    lacks: () => shop({ workloads: [barePod('shop/alone', { on: 'node-d', captured: false })] }),
    names: 'shop/alone',
    tells: 'no ztunnel runs on node-d',
  },
  'STATEFULSET-SHORTFALL': {
    has: () => shop({ certificates: { [`shop/cart@${B}`]: 'EXPIRED' } }),
    lacks: () => shop({ certificates: { [`shop/cart@${B}`]: 'EXPIRING' } }),
    names: 'shop/cart',
    tells: '2 of 3: cart-1 has EXPIRED',
  },
  'TRUST-BROKEN': {
    has: () => rootsOn([C], ['nextRoot']),
    lacks: rotating,
    names: 'root ',
    tells: 'No connection in either direction: A refuses B: it does not trust root ',
  },
  'LEAF-OUTLIVES-ISSUER': {
    has: () => underIntermediate(-DAY, 4 * HOUR - 1, 10 * HOUR),
    lacks: () => underIntermediate(-DAY, 10 * HOUR, 10 * HOUR),
    names: 'shop/web',
    tells: 'intermediate CN=Short ends at 2026-11-30T02:03:41Z, the leaf at 2026-11-30T08:03:42Z',
  },
  'SAN-REFUSED': {
    has: () => expecting(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/api'), id('shop/store'))),
    lacks: () => expecting(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', id('shop/api'), web)),
    names: 'shop/web-',
    tells: `${web}; for web.shop.svc.cluster.local, DestinationRule/shop/r takes only ${id('shop/api')}, `,
  },
  'FAKE-CA': {
    has: async () =>
      withDump(await shop(), B, (dump) => ({ ...dump, config: { ...dump.config, fakeCa: true } })),
    lacks: async () =>
      withDump(await shop(), B, (dump) => ({ ...dump, config: { ...dump.config, fakeCa: false } })),
    names: 'istio-system/ztunnel-',
  },
  INITIALIZING: { has: webIs('INITIALIZING'), lacks: webIs({ state: 'Initialized' }), names: 'shop/web' },
  UNKNOWN: { has: webIs('UNKNOWN'), lacks: webIs('INITIALIZING'), names: 'shop/web', tells: 'Suspended' },
  EXPIRING: {
    has: webIs({ validFrom: 8639 - DAY, validTo: 8639 }),
    lacks: webIs({ validFrom: 8640 - DAY, validTo: 8640 }),
    names: 'shop/web',
  },
  'RENEWAL-OVERDUE': {
    has: webIs({ validFrom: -12 * HOUR - 301, validTo: 12 * HOUR - 301 }),
    lacks: webIs({ validFrom: -12 * HOUR - 300, validTo: 12 * HOUR - 300 }),
    names: 'shop/web',
    tells: 'renewal was due at',
  },
  'CA-LAST-ISSUED': {
    has: webIs({ validFrom: -12 * HOUR - 301, validTo: 12 * HOUR - 301 }),
    lacks: webIs({ validFrom: -12 * HOUR - 300, validTo: 12 * HOUR - 300 }),
    names: A,
    tells: '1 of its certificates is due or refused; its newest begins at ',
  },
  UNCAPTURED: {
    has: () => asking('shop/late', { ageSeconds: 61 }),
    lacks: () => asking('shop/late', { ageSeconds: 60 }),
    names: 'shop/Pod/late',
    tells: '1 of 1 pod is not captured, though its label istio.io/dataplane-mode asks for it',
  },
  'ZTUNNEL-NOT-READY': {
    has: async () => ztunnelPod(await shop(), B, notReady),
    lacks: async () => ztunnelPod(await shop(), B, (pod) => deleted(notReady(pod))),
    names: 'istio-system/ztunnel-',
  },
  'ZTUNNEL-UNREACHABLE': {
    has: shop,
    lacks: shop,
    args: '--allow-partial --timeout 3s',
    hangs: (mesh) => ztunnelOn(mesh, B),
    names: 'istio-system/ztunnel-',
    tells: '3 s',
  },
  'NODE-DEAD': {
    has: async () => renewed(await shop(), B, '2026-11-29T22:03:02.000000Z'),
    lacks: async () => renewed(await shop(), B, '2026-11-29T22:03:02.001000Z'),
    names: B,
    tells: 'last renewed at 2026-11-29T22:03:02Z',
  },
  'ROOT-EXPIRED': {
    has: () => underRoot(0),
    lacks: () => underRoot(1),
    names: 'root CN=Old',
    tells: 'ended 0s ago, at 2026-11-29T22:03:42Z',
  },
  'AUTHORITY-EXPIRING': {
    has: () => underIntermediate(-27 * DAY - 1, 3 * DAY - 1, HOUR),
    lacks: () => underIntermediate(-27 * DAY, 3 * DAY, HOUR),
    names: 'intermediate CN=Short',
    tells: 'ends in 2d23h, at 2026-12-02T22:03:41Z',
  },
  'TRUST-DOMAIN-MISMATCH': {
    has: () => workloadsSay({ trustDomain: 'corp.local' }),
    lacks: () => workloadsSay({ trustDomain: 'corp.local', uid: 'elsewhere//Pod/shop/web' }),
    names: 'shop/web',
    tells: 'certificate in cluster.local, its workloads in corp.local',
  },
  'LIFETIME-FAR-OFF': {
    has: () => asksFor(12 * HOUR - 151),
    lacks: () => asksFor(12 * HOUR - 150),
    names: 'shop/cart',
    tells: 'issued for 1d0h, asked for 11h57m',
  },
  'SAN-TLS-DISABLED': {
    has: () => expecting(tlsRule('infra/r', 'web.shop.svc.cluster.local', 'DISABLE')),
    lacks: () => expecting(tlsRule('infra/r', 'plain.shop.svc.cluster.local', 'DISABLE')),
    names: 'shop/web',
    tells: 'DestinationRule/infra/r: 3 of 3 endpoints are HBONE',
  },
  'SAN-NOT-SPIFFE': {
    has: () => shop({ services: [{ ...webService, subjectAltNames: [web, 'web.shop.example'] }] }),
    lacks: () => expecting(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', web, 'web.shop.example')),
    names: 'shop/web',
    tells: 'Service/shop/web of web.shop.example: ztunnel ignores it',
  },
  'SAN-UNKNOWN-DOMAIN': {
    has: () => shop({ services: [{ ...webService, subjectAltNames: [id('shop/api', 'old.example')] }] }),
    lacks: () => shop({ services: [{ ...webService, subjectAltNames: [id('shop/api')] }] }),
    names: 'shop/web',
    tells: 'no certificate is in old.example; there are those of cluster.local',
  },
  'SAN-UNMATCHED': {
    has: () => expecting(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', web, id('shop/*/web'))),
    lacks: () => expecting(tlsRule('shop/r', 'web', 'ISTIO_MUTUAL', web, id('shop/w*'))),
    names: 'shop/web',
    tells: `DestinationRule/shop/r of ${id('shop/*/web')}: the endpoints run as ${web}`,
  },
  'POLICY-UNMATCHED': {
    has: () => withPolicy({ rules: [[[{ principals: [{ Exact: 'cluster.local/ns/shop/sa/wbe' }] }]]] }),
    lacks: () => withPolicy({ rules: [[[{ principals: [{ Exact: 'cluster.local/ns/shop/sa/web' }] }]]] }),
    names: 'shop/p',
    tells: 'principals cluster.local/ns/shop/sa/wbe can never match: no workload runs as it',
  },
  'CLOCK-SKEW': { has: shop, lacks: shop, ahead: [31, -30], names: 'local clock', tells: '31s ahead of' },
  'IDENTITY-NOT-NEEDED': {
    has: webSays('the identity is no longer needed'),
    lacks: webSays('the identity is no longer known'),
    names: 'shop/web',
  },
  ORPHAN: {
    has: () => shop({ certificates: { [`shop/gone@${B}`]: 'RENEWAL-OVERDUE' } }),
    lacks: () =>
      shop({
        certificates: { [`shop/gone@${B}`]: 'RENEWAL-OVERDUE' },
        workloads: [barePod('shop/gone', { on: B })],
      }),
    names: 'shop/gone',
    tells: 'RENEWAL-OVERDUE',
  },
  'CAPTURED-UNASKED': {
    has: async () => modeOf(await shop(), undefined),
    lacks: async () => modeOf(await shop(), 'ambient'),
    names: 'shop/cart-0',
  },
  'POLICY-ALLOWS-NOTHING': {
    has: () => withPolicy({ rules: [] }),
    lacks: () => withPolicy({ rules: [], action: 'Deny' }),
    names: 'shop/p',
    tells: 'it refuses every connection to 6 workloads',
  },
  'POLICY-SELECTS-NOTHING': {
    has: () => withPolicy({ namespace: 'shoop' }),
    lacks: () => withPolicy({ namespace: 'shop' }),
    names: 'shoop/p',
    tells: 'selects no workload',
  },
  'NEVER-PRESENTED': {
    has: () => workloadsSay({ nativeTunnel: true }, { [`shop/web@${A}`]: 'EXPIRED' }),
    lacks: () => workloadsSay({ nativeTunnel: true }),
    names: 'shop/web',
    tells: 'EXPIRED',
  },
  'SAN-NO-ENDPOINTS': {
    has: () => expecting(serviceEntry('shop/e', { hosts: ['wbe.example'], subjectAltNames: [web] })),
    lacks: () =>
      expecting(
        serviceEntry('shop/e', { hosts: ['web.example'], subjectAltNames: [web] }),
        destinationRule('shop/r', 'wbe.example', { trafficPolicy: { tls: { mode: 'ISTIO_MUTUAL' } } }),
      ),
    names: 'shop/wbe.example',
    tells: `ServiceEntry/shop/e of ${web}: ztunnel knows no service of this host`,
  },
  'CHAIN-DUPLICATE': {
    has: () => withChain((chain) => [...chain, chain[1]!]),
    lacks: () => withChain((chain) => chain),
    names: 'shop/cart',
    tells: 'O=cluster.local, CN=Intermediate CA stands more than once',
  },
  'DEFAULT-SERVICE-ACCOUNT': {
    has: () => shop({ workloads: [deployment('shop/tool', { on: [A, B], serviceAccount: 'default' })] }),
    lacks: () => shop({ workloads: [deployment('tools/tool', { on: [A, B], serviceAccount: 'default' })] }),
    names: 'shop/default',
    tells: '2 of 8 captured pods',
  },
  'VERSIONS-DIFFER': {
    has: async () =>
      ztunnelPod(await shop(), C, (pod) => withImage(pod, 'registry:5000/istio/ztunnel:1.27.3')),
    lacks: async () => ztunnelPod(await shop(), C, (pod) => withImage(pod, 'registry:5000/ztunnel:1.28.1')),
    names: 'istio-system/ztunnel-',
    tells: '1.27.3, most run 1.28.1',
  },
  'OLDER-ROOT': {
    has: rotating,
    lacks: () => rootsOn(nodes, ['nextRoot', 'root']),
    names: 'shop/cart',
    tells: 'CN=Root CA)',
  },
  'ROOTS-DIFFER': {
    has: () => rootsOn([C], ['root', 'nextRoot']),
    lacks: () => rootsOn(nodes, ['root', 'nextRoot']),
    names: 'root O=cluster.local, CN=Root CA 2',
    tells: ' is trusted by 2 of 6 certificates, not by ',
  },
};

const folder = temporaryDirectory();

interface Item {
  readonly code: string;
  readonly severity: string;
  readonly objects: readonly {
    readonly namespace: string | null;
    readonly name: string;
    readonly detail: string | null;
  }[];
}

async function check(what: Scenario, args: string, ahead = 0, hangs?: string) {
  const mesh = await startMesh(what);
  if (hangs !== undefined) mesh.misbehave(hangs, { how: 'hang', at: 'first-byte' });
  try {
    const clock = new Date(Date.parse(at) + ahead * 1000);
    const { code, stdout } = await run(`check -o json ${args}`, {
      clock,
      env: { KUBECONFIG: mesh.writeKubeconfig(folder) },
    });
    const { items } = JSON.parse(stdout) as { readonly items: readonly Item[] };
    return { code, items };
  } finally {
    await mesh.close();
  }
}

describe('a healthy mesh', () => {
  test.each(['', '--deep'])('has no finding at all %s', async (args) => {
    expect(await check(await shop(), args)).toEqual({ code: 0, items: [] });
  });
});

const EXITS = { critical: 2, warning: 1, information: 0 };

describe('each finding', () => {
  test.each(FINDING_CODES)('%s', async (code) => {
    const { has, lacks, args = '', ahead = [0, 0], hangs, names, tells } = CASES[code];
    const mesh = await has();
    const found = await check(mesh, `--only ${code} ${args}`, ahead[0], hangs?.(mesh));
    expect(found.items.map((item) => [item.code, item.severity])).toEqual([[code, FINDINGS[code].severity]]);
    const [object] = found.items[0]!.objects;
    const name = object?.namespace ? `${object.namespace}/${object.name}` : object?.name;
    expect(name?.startsWith(names)).toBe(true);
    if (tells !== undefined) expect(object?.detail).toContain(tells);
    expect(found.code).toBe(EXITS[FINDINGS[code].severity]);

    expect(await check(await lacks(), `--only ${code} ${args}`, ahead[1])).toEqual({ code: 0, items: [] });
  });
});

describe('less grave than the finding says', () => {
  test.each([
    ['MISSING', 60, 'warning'],
    ['MISSING', 61, 'critical'],
    ['INITIALIZING', 60, 'warning'],
    ['INITIALIZING', 61, 'critical'],
    ['UNAVAILABLE', 60, 'warning'],
    ['UNAVAILABLE', 61, 'critical'],
  ] as const)('%s of a pod that is %i s old is %s', async (condition, age, severity) => {
    const { items, code } = await check(await late(condition, age), '');
    const [first, ...others] = items;
    expect(first?.severity).toBe(severity);
    // Whoever gets none from the CA is listed by that, too.
    expect(others.filter(({ code: each }) => each !== 'CA-LAST-ISSUED')).toEqual([]);
    expect(code).toBe(EXITS[severity]);
    if (severity === 'warning') expect(items[0]?.objects[0]?.detail).toContain('its pod started 1m0s ago');
  });

  test('a leaf that is renewed before its intermediate ends', async () => {
    // It began 2 hours ago and is due in 10.
    const found = async (seconds: number) =>
      (
        await check(
          await underIntermediate(-DAY, seconds, 22 * HOUR, 24 * HOUR),
          '--only LEAF-OUTLIVES-ISSUER',
        )
      ).items;
    expect((await found(10 * HOUR)).map(({ severity }) => severity)).toEqual(['information']);
    expect((await found(10 * HOUR - 1)).map(({ severity }) => severity)).toEqual(['critical']);
  });
});

function late(condition: Condition, ageSeconds: number): Promise<Scenario> {
  return shop({
    workloads: [barePod('shop/late', { on: A, ageSeconds })],
    certificates: { [`shop/late@${A}`]: condition },
  });
}

/** A captured pod of this age. */
function latePod(ageSeconds: number): Promise<Scenario> {
  return shop({ workloads: [barePod('shop/late', { on: A, ageSeconds })] });
}

/** One that the whole dump's workloads do not hold. */
async function unknownPod(ageSeconds: number): Promise<Scenario> {
  return withDump(await latePod(ageSeconds), A, (dump) => ({
    ...dump,
    workloads: dump.workloads.filter(({ name }) => name !== 'late'),
  }));
}

/** A pod that is not captured, of which istiod says this. */
async function plainPodSaid(changes: JsonObject): Promise<Scenario> {
  const mesh = await shop({ workloads: [barePod('shop/plain', { on: A, captured: false })] });
  return withWorkloads(mesh, A, (workload) =>
    workload.name === 'plain' ? { ...workload, ...changes } : workload,
  );
}

/** A pod that asks for capture, and is not captured. */
function asking(name: string, options: { readonly ageSeconds: number }): Promise<Scenario> {
  const labels = { 'istio.io/dataplane-mode': 'ambient' };
  return shop({ workloads: [barePod(name, { on: A, captured: false, labels, ...options })] });
}

function modeOf(mesh: Scenario, mode: string | undefined): Scenario {
  return withObjects(mesh, 'namespaces', ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, labels: { ...(mode && { 'istio.io/dataplane-mode': mode }) } },
  }));
}

/** A policy of namespace shop in the whole dump. */
async function withPolicy(values: JsonObject): Promise<Scenario> {
  const plain = { name: 'p', namespace: 'shop', action: 'Allow', scope: 'Namespace', rules: [[]] };
  return withDump(await shop(), A, (dump) => ({ ...dump, policies: [{ ...plain, ...values }] }));
}

/** Certificates of these nodes are signed by the first of these roots, and list all of them. */
async function rootsOn(
  on: readonly string[],
  roots: readonly ('root' | 'nextRoot')[],
  before?: Scenario,
): Promise<Scenario> {
  const authorities = await authoritiesAt(at);
  const issuer = roots[0] === 'root' ? authorities.intermediate : authorities.nextIntermediate;
  const listed = roots.map((root) => authorities[root]);
  let mesh = before ?? (await shop());
  for (const node of on) {
    mesh = await withEntries(mesh, node, (identity) => entryBy(identity, at, { issuer, roots: listed }));
  }
  return mesh;
}

/** All trust both roots, and those of node-c are signed with the next one. */
async function rotating(): Promise<Scenario> {
  return rootsOn([C], ['nextRoot', 'root'], await rootsOn([A, B], ['root', 'nextRoot']));
}

/** All are signed with a root that ends so many seconds from now. */
async function underRoot(to: number): Promise<Scenario> {
  const issuer = await createRoot('CN=Old', validity(at, -DAY, to));
  let mesh = await shop();
  for (const node of nodes) {
    mesh = await withEntries(mesh, node, (identity) => entryBy(identity, at, { issuer, roots: [issuer] }));
  }
  return mesh;
}

/** shop/web on node-a, signed by an intermediate from `from` to `to`; the leaf ends at `leafTo`. */
async function underIntermediate(
  from: number,
  to: number,
  leafTo: number,
  lifetime = DAY / 2,
): Promise<Scenario> {
  const { root } = await authoritiesAt(at);
  const issuer = await createIntermediate(root, 'CN=Short', validity(at, from, to));
  return withEntries(await shop(), A, (identity, entry) =>
    identity === web ? entryBy(identity, at, { issuer, from: leafTo - lifetime, to: leafTo }) : entry,
  );
}

async function workloadsSay(
  changes: JsonObject,
  certificates: NonNullable<MeshSpec['certificates']> = {},
): Promise<Scenario> {
  return withWorkloads(await shop({ certificates }), A, (each) =>
    each.serviceAccount === 'web' && each.node === A ? { ...each, ...changes } : each,
  );
}

async function asksFor(secs: number): Promise<Scenario> {
  return withDump(await shop(), B, (dump) => ({
    ...dump,
    config: { ...dump.config, secretTtl: { nanos: 0, secs } },
  }));
}

async function withChain(change: (chain: readonly JsonObject[]) => readonly JsonObject[]): Promise<Scenario> {
  return withEntries(await shop(), A, (_, entry) => ({
    ...entry,
    certChain: change(entry.certChain as readonly JsonObject[]),
  }));
}

function ztunnelPod(mesh: Scenario, node: string, change: (pod: Manifest) => Manifest): Scenario {
  const name = ztunnelOn(mesh, node);
  return withObjects(mesh, 'pods', (pod) =>
    `${pod.metadata.namespace}/${pod.metadata.name}` === name ? change(pod) : pod,
  );
}

function notReady(pod: Manifest): Manifest {
  return { ...pod, status: { ...pod.status, conditions: [{ type: 'Ready', status: 'False' }] } };
}

function deleted(pod: Manifest): Manifest {
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-11-29T22:04:00Z' } };
}

function withImage(pod: Manifest, image: string): Manifest {
  const [status] = (pod.status?.containerStatuses ?? []) as readonly object[];
  return { ...pod, status: { ...pod.status, containerStatuses: [{ ...status, image }] } };
}

function renewed(mesh: Scenario, node: string, renewTime: string): Scenario {
  return withObjects(mesh, 'leases', (lease) =>
    lease.metadata.name === node ? { ...lease, spec: { ...lease.spec, renewTime } } : lease,
  );
}
