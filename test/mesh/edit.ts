// How a test changes one thing about a made-up mesh: a ztunnel's dump, some of its objects.

import type { JsonObject } from '../../src/base/json.ts';
import { authoritiesAt } from './authorities.ts';
import { dumpJson } from './certificates.ts';
import { dumpText } from './configdump.ts';
import { type Authority, issueLeaf, validity } from './pki.ts';
import type { Manifest, Objects, Resource } from './resources.ts';
import { type Scenario, ztunnelOn } from './scenario.ts';

/** The parts of a config dump that tests change. */
export interface EditableDump extends JsonObject {
  readonly certificates: readonly JsonObject[];
  readonly config: JsonObject;
  readonly version: JsonObject;
  readonly workloads: readonly JsonObject[];
  readonly workloadState: JsonObject;
}

/** The mesh with another dump of the ztunnel on a node. */
export function withDump(mesh: Scenario, node: string, change: (dump: EditableDump) => JsonObject): Scenario {
  const key = ztunnelOn(mesh, node);
  const dump = JSON.parse(String(mesh.ztunnels[key])) as EditableDump;
  return { ...mesh, ztunnels: { ...mesh.ztunnels, [key]: dumpText(change(dump)) } };
}

/** The mesh with other workloads in one ztunnel's dump. */
export function withWorkloads(
  mesh: Scenario,
  node: string,
  change: (workload: JsonObject) => JsonObject,
): Scenario {
  return withDump(mesh, node, (dump) => ({ ...dump, workloads: dump.workloads.map(change) }));
}

/** The mesh with another entry of a pod in one ztunnel's `workloadState`; undefined takes it out. */
export function withEntry(
  mesh: Scenario,
  node: string,
  pod: string,
  change: (entry: JsonObject) => JsonObject | undefined,
): Scenario {
  return withDump(mesh, node, (dump) => ({
    ...dump,
    workloadState: Object.fromEntries(
      Object.entries(dump.workloadState).flatMap(([uid, entry]) => {
        const { name } = (entry as JsonObject).info as JsonObject;
        const changed = name === pod ? change(entry as JsonObject) : (entry as JsonObject);
        return changed === undefined ? [] : [[uid, changed]];
      }),
    ),
  }));
}

/** The mesh with other certificate entries in one ztunnel's dump, each made of the one that was there. */
export function withEntries(
  mesh: Scenario,
  node: string,
  change: (identity: string, entry: JsonObject) => Promise<JsonObject> | JsonObject,
): Promise<Scenario> {
  const dump = JSON.parse(String(mesh.ztunnels[ztunnelOn(mesh, node)])) as EditableDump;
  return Promise.all(dump.certificates.map((entry) => change(String(entry.identity), entry))).then(
    (certificates) => withDump(mesh, node, (old) => ({ ...old, certificates })),
  );
}

/** The mesh with some of its objects changed. */
export function withObjects<R extends Resource>(
  mesh: Scenario,
  resource: R,
  change: (manifest: Manifest) => Manifest,
): Scenario {
  const changed: Partial<Objects> = { [resource]: mesh[resource].map(change) };
  return { ...mesh, ...changed };
}

/** An `Available` entry of an issuer; times are seconds from `at`. */
export async function entryBy(
  identity: string,
  at: string,
  options: {
    readonly issuer?: Authority;
    readonly roots?: readonly Authority[];
    readonly from?: number;
    readonly to?: number;
  },
): Promise<JsonObject> {
  const { root, intermediate } = await authoritiesAt(at);
  const { issuer = intermediate, roots = [root], from = -3600, to = 82_800 } = options;
  const leaf = await issueLeaf(issuer, { uris: [identity], ...validity(at, from, to) });
  return {
    certChain: [leaf, issuer.certificate].map(dumpJson),
    identity,
    rootCerts: roots.map(({ certificate }) => dumpJson(certificate)),
    state: 'Available',
  };
}
