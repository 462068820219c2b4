// Which findings `check` knows of several clusters together: for each what it means, what to do, and who looks for it.

import {
  type AcrossFinder,
  clusterDomainsDiffer,
  clusterRootsDiffer,
  clusterRootsDisjoint,
} from './clusters.ts';
import type { AcrossCode } from './codes.ts';
import type { FindingTexts } from './finding.ts';

/** One row of the table. */
export interface AcrossRule extends FindingTexts {
  readonly find: AcrossFinder;
}

/** By code, in the order of ACROSS_CODES. */
export const ACROSS = {
  'CLUSTER-ROOTS-DISJOINT': {
    severity: 'critical',
    title: 'clusters of one trust domain have no root in common',
    meaning:
      'With --contexts only. The ztunnels of these clusters trust other roots altogether: neither side can verify the other, and no connection between the clusters comes about.',
    remedy:
      "Let the CAs of all clusters of the mesh sign under one root, or put each cluster's root into the trust bundle of the others (istio-ca-root-cert) before traffic crosses. Clusters that are not part of the same mesh need separate trust domains.",
    find: clusterRootsDisjoint,
  },
  'CLUSTER-ROOTS-DIFFER': {
    severity: 'warning',
    title: 'clusters of one trust domain trust different roots, with some in common',
    meaning:
      'With --contexts only. Normal while a root is rotated cluster by cluster; what is signed under a root that the other cluster lacks is refused there.',
    remedy:
      'Bring the trust bundles of all clusters to the same roots before any CA signs with a new one; kubectl ztunnel certs --group-by root with the same --contexts shows which root is in use.',
    find: clusterRootsDiffer,
  },
  'CLUSTER-DOMAINS-DIFFER': {
    severity: 'warning',
    title: 'one service account is in different trust domains in different clusters',
    meaning:
      'With --contexts only. Policies and SAN checks that name its identity in one cluster do not match it in the other.',
    remedy:
      'Set the same meshConfig.trustDomain in all clusters of the mesh, or list the others in trustDomainAliases.',
    find: clusterDomainsDiffer,
  },
} as const satisfies Record<AcrossCode, AcrossRule>;
