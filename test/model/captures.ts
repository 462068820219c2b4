// The saved dumps and objects of a real mesh, as the values that decoding makes of them.

import { readFileSync } from 'node:fs';
import type {
  CertificateEntry,
  ConfigDump,
  DumpCertificate,
  Service,
  Workload,
} from '../../src/model/dump.ts';
import type { KubeObject } from '../../src/model/kubernetes.ts';
import type { Inventory, Listed } from '../../src/model/types.ts';
import { dump, listed, service, workload } from './values.ts';

const folder = new URL('../testdata/', import.meta.url);

function readJson(path: string) {
  return JSON.parse(readFileSync(new URL(path, folder), 'utf8'));
}

/** A dump of ztunnel 1.24 or later by its name in test/testdata/dumps. */
export function readDump(name: string): ConfigDump {
  const json = readJson(`dumps/${name}.config_dump.json`);
  return dump({
    certificates: json.certificates.map(readEntry),
    workloads: json.workloads.map(readWorkload),
    services: json.services.map(readService),
    config: { ...dump().config, ...json.config },
  });
}

/** The API server's lists of the same mesh. */
export function readInventory(): Inventory {
  return {
    pods: readList('pods', 'v1', 'Pod'),
    replicaSets: readList('replicasets', 'apps/v1', 'ReplicaSet'),
    jobs: readList('jobs', 'batch/v1', 'Job'),
    statefulSets: readList('statefulsets', 'apps/v1', 'StatefulSet'),
  };
}

function readList<T extends KubeObject>(name: string, apiVersion: string, kind: T['kind']): Listed<T> {
  const { items } = readJson(`kubernetes/all-${name}.json`);
  return listed(...items.map((item: object) => ({ ...item, apiVersion, kind })));
}

interface RawEntry extends Pick<CertificateEntry, 'identity' | 'state'> {
  readonly certChain: readonly DumpCertificate[];
  readonly rootCerts?: readonly DumpCertificate[];
}

function readEntry(raw: RawEntry): CertificateEntry {
  const { identity, state, certChain, rootCerts } = raw;
  return { identity, state, chain: certChain.map(readPem), roots: rootCerts?.map(readPem), raw: undefined };
}

function readPem(certificate: DumpCertificate): DumpCertificate {
  return { ...certificate, pem: Buffer.from(certificate.pem, 'base64').toString() };
}

type RawWorkload = Partial<Workload> & { readonly workloadIps?: readonly string[] };

function readWorkload({ workloadIps = [], ...known }: RawWorkload): Workload {
  // Absent strings are '', whatever a fresh workload of the tests has.
  const absent = { hostname: '', networkMode: '', node: '', network: '', uid: '', serviceAccount: '' };
  return workload({ ...absent, ...known, addresses: workloadIps });
}

function readService(known: Omit<Service, 'endpoints' | 'ports'> & { readonly endpoints?: object }): Service {
  const endpoints = Object.keys(known.endpoints ?? {}).map((workloadUid) => ({
    workloadUid,
    status: '',
    ports: [],
  }));
  return service({ ...known, ports: [], endpoints });
}
