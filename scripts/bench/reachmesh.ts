// A mesh with services and policies, as one dump and by what is asked of it: what `reach` costs beside `workloads`.

import type { JsonObject } from '../../src/base/json.ts';
import { dumpText } from '../../test/mesh/configdump.ts';
import { growDump, LARGE } from './inputs.ts';

const SERVICES = 5_000;
const POLICIES = 1_000;
/** So many workloads, on the ztunnel's own node, are in a namespace of their own, whose matrix is asked for. */
const SMALL = 50;
const NAMESPACE = 'small';

type Workload = JsonObject & { readonly uid: string; readonly name: string; readonly namespace: string };

/** 100,000 workloads, 5,000 services of 20 endpoints each, and 1,000 policies: 70 MB without the services. */
export async function growReachDump(at: string): Promise<string> {
  const dump = JSON.parse(await growDump(LARGE, at)) as JsonObject & {
    readonly workloads: readonly Workload[];
    readonly certificates: readonly (JsonObject & { readonly identity: string })[];
  };
  const byIndex = dump.workloads
    .toSorted((a, b) => indexOf(a) - indexOf(b))
    .map((workload, index) => (index < SMALL ? inSmall(workload) : workload));
  const own = byIndex.slice(0, LARGE.perNode);
  const small = new Map(
    own
      .slice(0, SMALL)
      .map(({ serviceAccount }, index) => [
        `spiffe://cluster.local/ns/team-${index % 40}/sa/${serviceAccount}`,
        `spiffe://cluster.local/ns/${NAMESPACE}/sa/${serviceAccount}`,
      ]),
  );
  return dumpText({
    ...dump,
    workloads: byIndex,
    certificates: dump.certificates.map((each) => ({
      ...each,
      identity: small.get(each.identity) ?? each.identity,
    })),
    services: Array.from({ length: SERVICES }, (_, index) => serviceOf(index, byIndex)),
    policies: Array.from({ length: POLICIES }, (_, index) => policyOf(index)),
    workloadState: Object.fromEntries(
      own.map(({ name, namespace, serviceAccount }, index) => [
        `uid-${index}`,
        {
          connections: { inbound: [], outbound: [] },
          info: { name, namespace, serviceAccount },
          state: 'Up',
        },
      ]),
    ),
  } as JsonObject);
}

function inSmall(workload: Workload): Workload {
  return { ...workload, namespace: NAMESPACE, uid: `Kubernetes//Pod/${NAMESPACE}/${workload.name}` };
}

function indexOf({ name }: Workload): number {
  return Number.parseInt(name.slice(name.lastIndexOf('-') + 1).replaceAll(/^x+/g, ''), 36);
}

/** Its endpoints follow each other, and are so of one node; the first ones of those that the matrix is about. */
function serviceOf(index: number, workloads: readonly Workload[]): JsonObject {
  const members = workloads.slice(index * 20, index * 20 + 20);
  const name = `front-${index}`;
  const namespace = index * 20 < SMALL ? NAMESPACE : `team-${index % 40}`;
  return {
    canonical: true,
    hostname: `${name}.${namespace}.svc.cluster.local`,
    name,
    namespace,
    ports: { '80': 8080, '81': 9090 },
    subjectAltNames: [],
    vips: [`/10.112.${index >> 8}.${index & 255}`],
    visibility: 'Public',
    endpoints: Object.fromEntries(
      members.map(({ uid }) => [
        uid,
        { port: { '80': 8080, '81': 9090 }, status: 'Healthy', workloadUid: uid },
      ]),
    ),
  };
}

function policyOf(index: number): JsonObject {
  const account = index % LARGE.identities;
  const namespace = account < SMALL ? NAMESPACE : `team-${account % 40}`;
  const principal = `cluster.local/ns/${namespace}/sa/service-${account}`;
  return {
    action: index % 4 === 0 ? 'Deny' : 'Allow',
    dryRun: false,
    name: `policy-${index}`,
    namespace: index % 20 === 0 ? NAMESPACE : `team-${index % 40}`,
    rules: [[[{ principals: [{ Exact: principal }] }], [{ destinationPorts: [8080 + (index % 3)] }]]],
    scope: 'Namespace',
  };
}

export interface ReachCase {
  readonly name: string;
  readonly args: readonly string[];
  /** Times what `workloads` of the same dump takes. */
  readonly atMost: number;
}

export function reachCases(file: string): readonly ReachCase[] {
  const source = `service-0-7c9d8f6b5-xxxx0.${NAMESPACE}`;
  const destination = `service/front-1.${NAMESPACE}`;
  return [
    { name: '`reach SRC DST`', args: ['reach', source, `${destination}:80`, '-f', file], atMost: 1.3 },
    {
      name: '`reach --to DST -n` 50 workloads `-o wide`',
      args: ['reach', '--to', destination, '-n', NAMESPACE, '-o', 'wide', '-f', file],
      atMost: 2,
    },
    { name: '`reach SRC -A`, 5,000 services', args: ['reach', source, '-A', '-f', file], atMost: 3 },
  ];
}
