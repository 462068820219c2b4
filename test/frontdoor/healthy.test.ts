// Meshes with which nothing is wrong, of kinds that could be taken for faults: check has nothing to say that counts.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/base/json.ts';
import { demo } from '../mesh/demo.ts';
import { startMesh } from '../mesh/mesh.ts';
import {
  CLIENT,
  type Made,
  make,
  SERVER,
  type Spec,
  START,
  EXTENSIONS as X,
} from '../model/certificates/maker.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const folder = temporaryDirectory();
const DAY = 86_400;
const YEAR = 365 * DAY;
const NODES = ['node-a', 'node-b'] as const;

const authority = [X.authority(), X.keyUsage(0x06)];
const root = make({ name: 'Root', from: -YEAR, to: 10 * YEAR, extensions: authority });
const next = make({ name: 'Next root', from: -DAY, to: 10 * YEAR, extensions: authority });
/** The next root's key and name, signed by the root. */
const crossed = make({
  name: 'Next root',
  by: root,
  keys: next.keys,
  from: -DAY,
  to: YEAR,
  extensions: authority,
});
const below = (by: Made, name: string) => make({ name, by, from: -DAY, to: YEAR, extensions: authority });

const id = (account: string) => `spiffe://cluster.local/ns/shop/sa/${account}`;

/** What an account has on a node. */
interface Held {
  readonly by: Made;
  readonly chain: readonly Made[];
  readonly roots: readonly Made[];
  readonly spec?: Spec;
}

function entryOf(account: string, { by, chain, roots, spec }: Held): JsonObject {
  const leaf = make({
    by,
    from: -3600,
    to: DAY - 3600,
    extensions: [X.notAuthority(), X.usages(SERVER, CLIENT), X.uri(id(account))],
    ...spec,
  });
  const listed = (made: readonly Made[]) =>
    made.map(({ pem }) => ({
      pem: Buffer.from(pem).toString('base64'),
      serialNumber: '1',
      validFrom: '',
      expirationTime: '',
    }));
  return {
    identity: id(account),
    state: 'Available',
    certChain: listed([leaf, ...chain]),
    rootCerts: listed(roots),
  };
}

const podOf = (account: string, node: string, cluster: string) => ({
  uid: `${cluster}//Pod/shop/${account}-${node}`,
  name: `${account}-${node}`,
  namespace: 'shop',
  serviceAccount: account,
  trustDomain: 'cluster.local',
  workloadIps: ['10.0.0.1'],
  protocol: 'HBONE',
  node,
  clusterId: cluster,
});

interface Kind {
  readonly name: string;
  /** By node. */
  readonly held: readonly (readonly [Held, Held])[];
  /** Where each node is a cluster of its own. */
  readonly clusters?: boolean;
}

const single = (by: Made, chain: readonly Made[], roots: readonly Made[], spec: Spec = {}): Held => ({
  by,
  chain,
  roots,
  spec,
});
const istiod = below(root, 'Istiod');
const east = below(root, 'East');
const west = below(root, 'West');
const nextIstiod = below(next, 'Next istiod');
const short = { from: -120 - 200, to: 600 - 200 };
const long = { from: -100 * DAY, to: 265 * DAY };

const KINDS: readonly Kind[] = [
  {
    name: 'certificates of 10 minutes, dated back by two',
    held: NODES.map(() => [single(istiod, [istiod], [root], short), single(istiod, [istiod], [root], short)]),
  },
  {
    name: 'certificates of a year',
    held: NODES.map(() => [single(istiod, [istiod], [root], long), single(istiod, [istiod], [root], long)]),
  },
  {
    name: 'a rotation in which all trust both roots',
    held: NODES.map(() => [
      single(istiod, [istiod], [root, next]),
      single(nextIstiod, [nextIstiod], [next, root]),
    ]),
  },
  {
    name: 'intermediates for each cluster under one root',
    clusters: true,
    held: [
      [single(east, [east], [root]), single(east, [east], [root])],
      [single(west, [west], [root]), single(west, [west], [root])],
    ],
  },
  {
    name: 'an external CA, whose next root is signed by the old one as well',
    held: [
      [single(istiod, [istiod], [root]), single(nextIstiod, [nextIstiod, crossed], [root])],
      [single(istiod, [istiod], [root, next]), single(nextIstiod, [nextIstiod, crossed], [root, next])],
    ],
  },
];

function dumpFile(
  name: string,
  node: string,
  cluster: string,
  [web, cart]: readonly [Held, Held],
  others: readonly (readonly [string, string])[],
) {
  const accounts = ['web', 'cart'];
  const dump = {
    certificates: [entryOf('web', web), entryOf('cart', cart)],
    config: { localNode: node, clusterId: cluster, proxyMode: 'Shared' },
    policies: [],
    services: [],
    version: { version: '1.28.1', cryptoProvider: 'tls-aws-lc' },
    workloadState: Object.fromEntries(
      accounts.map((account) => [
        `uid-${account}-${node}`,
        { state: 'Up', info: { name: `${account}-${node}`, namespace: 'shop', serviceAccount: account } },
      ]),
    ),
    workloads: [...others, [node, cluster] as const].flatMap(([on, of]) =>
      accounts.map((account) => podOf(account, on, of)),
    ),
  };
  const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}-${node}.json`);
  writeFileSync(file, JSON.stringify(dump));
  return file;
}

interface Item {
  readonly code: string;
  readonly severity: string;
}

describe('nothing that counts', () => {
  test.each(KINDS)('$name', async ({ name, held, clusters }) => {
    const clusterOf = (node: string) => (clusters ? node : 'Kubernetes');
    const files = NODES.flatMap((node, at) => [
      '-f',
      dumpFile(name, node, clusterOf(node), held[at]!, [[NODES[1 - at]!, clusterOf(NODES[1 - at]!)]]),
    ]);
    const { code, stdout, stderr } = await run([
      'check',
      '-o',
      'json',
      '--now',
      new Date(START).toISOString(),
      ...files,
    ]);
    const { items } = JSON.parse(stdout) as { readonly items: readonly Item[] };
    expect([items.filter(({ severity }) => severity !== 'information'), stderr]).toEqual([
      [],
      expect.anything(),
    ]);
    expect(items.every((item) => ['OLDER-ROOT', 'ROOTS-DIFFER'].includes(item.code))).toBe(true);
    expect(code).toBe(0);

    const trust = await run(['trust', '-o', 'json', '--now', new Date(START).toISOString(), ...files]);
    expect([trust.code, JSON.parse(trust.stdout).summary]).toMatchObject([0, { fails: 0, unknown: 0 }]);

    const certs = await run(['certs', '--no-headers', '--now', new Date(START).toISOString(), ...files]);
    expect(
      certs.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['OK', 'OK', 'OK', 'OK']);
  });
});

const OF_TRUST = 'TRUST-BROKEN,ROOT-EXPIRED,ROOTS-DIFFER,OLDER-ROOT';
const captures = path.resolve(import.meta.dirname, '../testdata/dumps');
const AT = '2026-11-29T22:03:42Z';

describe('nothing about who can verify whom', () => {
  test('in dumps of a real mesh, of which other things are wrong', async () => {
    const files = ['node-a', 'node-b', 'node-c'].flatMap((name) => [
      '-f',
      path.join(captures, `${name}.config_dump.json`),
    ]);
    const { code, stdout } = await run(['check', '-o', 'json', '--only', OF_TRUST, '--now', AT, ...files]);
    expect([code, JSON.parse(stdout).items]).toEqual([0, []]);
  });

  test('in the demonstration', async () => {
    const mesh = await startMesh({ ...(await demo(AT)), clock: { at: AT } });
    try {
      const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
      const { code, stdout } = await run(`check -o json --only ${OF_TRUST}`, { clock: new Date(AT), env });
      expect([code, JSON.parse(stdout).items]).toEqual([0, []]);
    } finally {
      await mesh.close();
    }
  });
});
