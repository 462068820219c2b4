// How config dumps of large meshes are grown from a captured one: more workloads, nodes, services and identities.

import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import { certificateEntry } from '../../test/mesh/certificates.ts';
import { dumpText } from '../../test/mesh/configdump.ts';

/** A captured dump of 39 KB: 19 workloads, 5 identities. */
export const CAPTURE = new URL('../../test/testdata/dumps/node-a.config_dump.json', import.meta.url);

export interface Size {
  readonly workloads: number;
  /** How many of the workloads run on each node, each under an identity of its own. */
  readonly perNode: number;
  /** Identities with a certificate. */
  readonly identities: number;
}

/** 10,000 workloads, as many on a node as a node takes. */
export const MEDIUM: Size = { workloads: 10_000, perNode: 30, identities: 30 };
/** 100,000 workloads; 200 identities on one node is far more than usual. */
export const LARGE: Size = { workloads: 100_000, perNode: 200, identities: 200 };

export function nodeName(index: number): string {
  return `ip-10-${index >> 8}-${index & 255}-17.eu-west-1.compute.internal`;
}

export function serviceAccountName(index: number): { readonly namespace: string; readonly name: string } {
  return { namespace: `team-${index % 40}`, name: `service-${index}` };
}

/** The text of the dump that the ztunnel of the first node gives, its certificates as of `at` (RFC 3339). */
export async function growDump({ workloads, perNode, identities }: Size, at: string): Promise<string> {
  const capture = JSON.parse(readFileSync(CAPTURE, 'utf8'));
  const template = capture.workloads.find((each: JsonObject) => each.protocol === 'HBONE');
  const certificates = [];
  for (let index = 0; index < identities; index += 1) {
    const { namespace, name } = serviceAccountName(index);
    certificates.push(await certificateEntry(`spiffe://cluster.local/ns/${namespace}/sa/${name}`, 'OK', at));
  }
  return dumpText({
    ...capture,
    certificates: certificates.toSorted(byText('identity')),
    config: { ...capture.config, localNode: nodeName(0) },
    services: Array.from({ length: identities }, (_, index) => growService(capture.services[0], index)),
    // Sorted by uid, as ztunnel sends them.
    workloads: Array.from({ length: workloads }, (_, index) =>
      growWorkload(template, index, perNode),
    ).toSorted(byText('uid')),
  });
}

function growWorkload(template: JsonObject, index: number, perNode: number): JsonObject {
  const { namespace, name: app } = serviceAccountName(index % perNode);
  const name = `${app}-7c9d8f6b5-${index.toString(36).padStart(5, 'x')}`;
  return {
    ...template,
    canonicalName: app,
    name,
    namespace,
    node: nodeName(Math.floor(index / perNode)),
    serviceAccount: app,
    services: [`${namespace}/${app}.${namespace}.svc.cluster.local`],
    uid: `Kubernetes//Pod/${namespace}/${name}`,
    workloadIps: [`10.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`],
    workloadName: app,
  };
}

function growService(template: JsonObject, index: number): JsonObject {
  const { namespace, name } = serviceAccountName(index);
  const hostname = `${name}.${namespace}.svc.cluster.local`;
  return { ...template, name, namespace, hostname, vips: [`/10.96.${index >> 8}.${index & 255}`] };
}

function byText(key: string): (a: JsonObject | undefined, b: JsonObject | undefined) => number {
  return (a, b) => (String(a?.[key]) < String(b?.[key]) ? -1 : 1);
}
