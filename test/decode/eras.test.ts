// Every era of config dumps decodes to what the capture says that its fixture was made from.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ConfigDump, Workload } from '../../src/model/dump.ts';
import { expectGolden, listGoldens } from '../golden.ts';
import { CAPTURE, ERAS, MAKERS } from './makeeras.ts';
import { readDump } from './readdump.ts';

const CAPTURES = new URL('../testdata/dumps/', import.meta.url);
const SUFFIX = '.config_dump.json';
const list = (folder: URL) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
const load = (folder: URL, name: string) => readFileSync(new URL(`${name}${SUFFIX}`, folder));

/** What an era's dumps cannot say of a workload, as they then decode. */
interface Lacks {
  readonly workload: (workload: Workload) => Partial<Workload>;
  readonly roots?: true;
  readonly services?: 'names' | 'waypoints';
  readonly endpoints?: 'status';
  readonly capturedPods?: 'all' | 'info';
}
const before124 = { networkMode: '', services: [] };
const older = { roots: true, endpoints: 'status', workload: () => before124 } as const;

const LACKS: Readonly<Record<string, Lacks>> = {
  current: { workload: () => ({}) },
  // which services a workload backs is in 1.24 and later, though this capture's ztunnel left it out
  'ztunnel-1.24': {
    roots: true,
    workload: ({ name }) => ({
      services: /^web-.*(abcde|fghij)$/.test(name) ? ['shop/web.shop.svc.cluster.local'] : [],
    }),
  },
  'ztunnel-1.23': older,
  'ztunnel-1.22.1': older,
  'ztunnel-1.22.0': { ...older, capturedPods: 'info' },
  'ztunnel-1.21': { ...older, capturedPods: 'all', services: 'waypoints' },
  'ztunnel-1.20': { ...older, capturedPods: 'all', services: 'waypoints' },
  'ztunnel-1.18': {
    roots: true,
    capturedPods: 'all',
    services: 'names',
    workload: ({ addresses }) => ({ ...before124, uid: '', network: '', addresses: addresses.slice(0, 1) }),
  },
};

const byName = (a: Workload, b: Workload) =>
  `${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1;

function expected(dump: ConfigDump, lacks: Lacks) {
  const workloads = dump.workloads
    .map((workload) => ({ ...workload, ...lacks.workload(workload) }))
    .sort(byName);
  const certificates = dump.certificates.map((entry) =>
    lacks.roots ? { ...entry, chain: [...entry.chain, ...(entry.roots ?? [])], roots: undefined } : entry,
  );
  return { certificates, workloads, policies: dump.policies };
}

function expectedServices(dump: ConfigDump, { roots, services, endpoints }: Lacks) {
  const plain = { canonical: false, visibility: '' };
  const known = dump.services.map((service) => ({
    ...service,
    ...(roots && plain),
    endpoints: service.endpoints.map((each) => (endpoints === undefined ? each : { ...each, status: '' })),
  }));
  if (services === undefined) return known;
  if (services === 'waypoints') return known.map((service) => ({ ...service, waypoint: undefined }));
  const unnamed = { name: '', namespace: '', hostname: '', ports: [], endpoints: [], subjectAltNames: [] };
  return known
    .map((service) => ({ ...service, ...unnamed, ...plain, waypoint: undefined }))
    .sort((a, b) => (a.vips[0]! < b.vips[0]! ? -1 : 1));
}

function expectedPods(dump: ConfigDump, { capturedPods }: Lacks) {
  if (capturedPods === 'all') return [];
  const info = { name: undefined, namespace: undefined, serviceAccount: undefined };
  const connections = { inbound: [], outbound: [] };
  return capturedPods === 'info'
    ? dump.capturedPods.map((pod) => ({ ...pod, ...info, connections }))
    : dump.capturedPods;
}

const capture = readDump(readFileSync(CAPTURE));

describe('a fixture of each era', () => {
  test('stands in the table, and is what the script makes', () => {
    expect(list(ERAS)).toEqual(Object.keys(LACKS).sort());
    const dump = JSON.parse(readFileSync(CAPTURE, 'utf8'));
    for (const [name, make] of Object.entries(MAKERS))
      expect([name, load(ERAS, name).toString()]).toEqual([name, make(dump)]);
  });

  test.each(Object.entries(LACKS))('%s says the same as the capture', (name, lacks) => {
    const dump = readDump(load(ERAS, name));
    const { certificates, workloads, policies } = dump;
    expect({ certificates, workloads: [...workloads].sort(byName), policies }).toEqual(
      expected(capture, lacks),
    );
    expect(dump.services).toEqual(expectedServices(capture, lacks));
    expect(dump.capturedPods).toEqual(expectedPods(capture, lacks));
    expect(dump.config).toEqual(capture.config);
    expect(dump.problems).toEqual([]);
    expect(dump.sections.has('workloadState')).toBe(lacks.capturedPods !== 'all');
    if (name !== 'current') expect(name).toContain(dump.version!.replace(/\.0$/, ''));
  });

  test.each(Object.keys(LACKS))('%s reads the same byte by byte', (name) => {
    const bytes = load(ERAS, name);
    expect(readDump(bytes, { chunk: 1, keepRaw: true })).toEqual(readDump(bytes, { keepRaw: true }));
  });
});

describe('workloads of 1.19–1.21', () => {
  const pairs = Object.entries(JSON.parse(load(ERAS, 'ztunnel-1.20').toString()));
  const without = (...names: string[]) => Object.fromEntries(pairs.filter(([name]) => !names.includes(name)));

  test('come from by_addr when by_uid is not there, each once', () => {
    const dump = readDump(without('by_uid'));
    expect(dump.workloads).toEqual(readDump(Object.fromEntries(pairs)).workloads);
    expect(dump.workloads).toHaveLength(19);
  });

  test('come from the workloads of by_hostname too, though a second one holds resolved names', () => {
    const text = JSON.stringify(without('by_uid', 'by_addr', 'by_hostname'));
    const first = '"by_hostname":{"vm.example":{"uid":"x","name":"vm","hostname":"vm.example"}}';
    const second = '"by_hostname":{"other.example":{"hostname":"other.example","ips":[]}}';
    for (const order of [`${first},${second}`, `${second},${first}`]) {
      const dump = readDump(`{${order},${text.slice(1)}`);
      expect(dump.workloads.map(({ uid, hostname }) => [uid, hostname])).toEqual([['x', 'vm.example']]);
    }
  });
});

/** A dump as a person checks it: one line a thing. */
function describeDump(dump: ConfigDump): string {
  const day = (text: string) => text.slice(0, 16);
  const lines = dump.certificates.flatMap(({ identity, state, chain, roots }) => [
    `certificate ${identity}: ${state}`,
    ...[...chain, ...(roots ?? [])].map(
      (one, index) =>
        `  ${index < chain.length ? 'chain' : 'root '} ${one.serialNumber} ${day(one.validFrom)} – ${day(one.expirationTime)}, ${one.pem.length} characters of PEM`,
    ),
  ]);
  const workloads = dump.workloads.map(
    (one) =>
      `workload ${one.uid} on ${one.node}: sa ${one.serviceAccount}, ${one.protocol}${one.nativeTunnel ? ' natively' : ''}, ${one.networkMode}, ${one.status}, ${one.network}/${one.addresses.join()}`,
  );
  const services = dump.services.map(
    (one) =>
      `service ${one.namespace}/${one.hostname} ${one.vips.join()}: ${one.endpoints.length} endpoints, waypoint ${one.waypoint?.destination ?? 'none'}`,
  );
  const policies = dump.policies.map(
    (one) => `policy ${one.namespace}/${one.name}: ${one.action}, ${one.scope}`,
  );
  const pods = dump.capturedPods.map(
    (one) => `captured ${one.uid}: ${one.state}, ${one.namespace}/${one.name}`,
  );
  const { raw: _raw, ...config } = dump.config;
  const rest = [
    `config ${JSON.stringify(config)}`,
    `version ${dump.version ?? 'unknown'}`,
    `problems ${dump.problems.length}`,
  ];
  return [...lines, ...workloads, ...services, ...policies, ...pods, ...rest, ''].join('\n');
}

describe('captures', () => {
  const names = list(CAPTURES);
  test('each has a golden', () => {
    expect(listGoldens('decode/captures')).toEqual(names);
  });
  test.each(names)('%s', (name) => {
    expectGolden('decode/captures', name, describeDump(readDump(load(CAPTURES, name))));
  });
});
