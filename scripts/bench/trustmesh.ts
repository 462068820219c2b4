// A live mesh whose certificates are all different, in so many trust classes: what `trust` is measured on, against `certs`.

import type { DumpCertificate } from '../../src/model/dump.ts';
import { dumpJson } from '../../test/mesh/certificates.ts';
import { dumpText } from '../../test/mesh/configdump.ts';
import { type Authority, createIntermediate, createRoot, issueLeaf, validity } from '../../test/mesh/pki.ts';
import type { Scenario } from '../../test/mesh/scenario.ts';
import { serviceAccountName } from './inputs.ts';
import { largeMesh } from './largemesh.ts';

const DAY = 86_400;
const PER_NODE = 30;
/** Each signs for four classes, which trust one to four of the roots besides. */
const ROOTS = 5;
const CLASSES = 20;

/** The objects and workloads of largeMesh, with certificates of their own on each node. */
export async function trustMesh(ztunnels: number, at: string): Promise<Scenario> {
  const mesh = await largeMesh(ztunnels, at);
  const authorities = await makeAuthorities(at);
  const dumps: Record<string, () => readonly Buffer[]> = {};
  for (const { metadata, spec } of mesh.pods.filter((pod) => pod.metadata.labels?.app === 'ztunnel')) {
    const key = `${metadata.namespace}/${metadata.name}`;
    const node = String(spec?.nodeName);
    const own = await certificatesOf(Object.keys(dumps).length % CLASSES, authorities, at);
    const source = mesh.ztunnels[key] as () => readonly Buffer[];
    dumps[key] = () => withCertificates(source(), node, own);
  }
  return { ...mesh, ztunnels: dumps };
}

interface Signing {
  readonly root: Authority;
  readonly intermediate: Authority;
}

async function makeAuthorities(at: string): Promise<readonly Signing[]> {
  const names = Array.from({ length: ROOTS }, (_, index) => `Root ${index}`);
  return Promise.all(
    names.map(async (name) => {
      const root = await createRoot(`O=cluster.local,CN=${name}`, validity(at, -DAY, 3650 * DAY));
      const during = validity(at, -DAY, 365 * DAY);
      return { root, intermediate: await createIntermediate(root, `O=cluster.local,CN=Of ${name}`, during) };
    }),
  );
}

async function certificatesOf(kind: number, authorities: readonly Signing[], at: string): Promise<Buffer> {
  const signing = authorities[kind % ROOTS]!;
  // All but one root: of each signer four classes, and so many pairs that work as fail.
  const left = (kind % ROOTS) + 1 + Math.floor(kind / ROOTS);
  const roots = authorities.filter((_, index) => index !== left % ROOTS).map(({ root }) => root.certificate);
  const entries = [];
  for (let index = 0; index < PER_NODE; index += 1) {
    const { namespace, name } = serviceAccountName(index);
    const identity = `spiffe://cluster.local/ns/${namespace}/sa/${name}`;
    const leaf = await issueLeaf(signing.intermediate, {
      uris: [identity],
      ...validity(at, -600, DAY - 600),
    });
    entries.push(entryOf(identity, [leaf, signing.intermediate.certificate], roots));
  }
  return Buffer.from(
    dumpText({ certificates: entries })
      .replace(/^\{\s*/, '')
      .replace(/\s*\}\s*$/, ''),
  );
}

function entryOf(identity: string, chain: readonly DumpCertificate[], roots: readonly DumpCertificate[]) {
  return { certChain: chain.map(dumpJson), identity, rootCerts: roots.map(dumpJson), state: 'Available' };
}

/** The dump with another first section: `certificates` comes first, and `config` behind it. */
function withCertificates(pieces: readonly Buffer[], node: string, certificates: Buffer): readonly Buffer[] {
  const text = Buffer.concat(pieces);
  const config = text.indexOf('"config":');
  if (config < 0) throw new Error(`the dump of ${node} has no config`);
  return [Buffer.from('{\n  '), certificates, Buffer.from(',\n  '), text.subarray(config)];
}
