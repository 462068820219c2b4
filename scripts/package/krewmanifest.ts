// How krew is told where the archives are: one manifest for all platforms.

import { dump } from 'js-yaml';
import { archiveName, type Platform } from './platforms.ts';

export interface Published {
  readonly platform: Platform;
  /** SHA-256 of the archive. */
  readonly sha256: string;
}

const DESCRIPTION = `\
Shows the certificates, workloads, services, policies and connections that every
ztunnel of an Istio ambient mesh holds, judges the certificates, and says which
Deployment, StatefulSet, DaemonSet or Job depends on them. It asks all ztunnels
at once, needs no Istio tooling, and reads saved config dumps as well.
`;
const CAVEATS = `\
It needs the rights to list pods, replicasets, statefulsets, jobs and leases, and
to get and create pods/portforward in ztunnel's namespace. Where one is missing
it says which, prints a ClusterRole that grants it, and shows what it can.
Flags stand after "ztunnel": kubectl refuses them before a plugin's name.
krew installs the Linux build for glibc; on musl (Alpine) take the musl archive.
`;

/** The YAML text. `base` is the address of the folder that holds the archives. */
export function renderKrewManifest(
  version: string,
  published: readonly Published[],
  { base, homepage }: { readonly base: string; readonly homepage: string | undefined },
): string {
  const manifest = {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'ztunnel' },
    spec: {
      version: `v${version}`,
      ...(homepage === undefined ? {} : { homepage }),
      shortDescription: "Judge the certificates of Istio's ztunnels",
      description: DESCRIPTION,
      caveats: CAVEATS,
      // krew can't tell musl from glibc.
      platforms: published
        .filter(({ platform }) => platform.libc !== 'musl')
        .map(({ platform, sha256 }) => ({
          selector: { matchLabels: { os: platform.os, arch: platform.arch } },
          uri: `${base}${archiveName(platform)}`,
          sha256,
          bin: platform.program,
        })),
    },
  };
  return dump(manifest, { lineWidth: -1 });
}
