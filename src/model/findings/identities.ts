// What `check` says of identities: certificates in another trust domain than workloads, and a service account that many share.

import { compareText } from '../../base/order.ts';
import type { Pod } from '../kubernetes.ts';
import { keyOf } from '../owners/pods.ts';
import { describeWorkload } from '../uid.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import { concernCertificate } from './certificates.ts';
import { type Finder, found, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** A certificate whose trust domain is not that of the workloads that it is for. */
export const trustDomainMismatch: Finder = (situation) => {
  if (situation.whole.length === 0) return notEvaluated('without a whole dump');
  const domains = listWorkloadDomains(situation);
  return found(
    situation.needed.flatMap((item) => {
      const { node, namespace, serviceAccount, trustDomain } = item;
      if (node === null || namespace === null || serviceAccount === null || trustDomain === null) return [];
      const expected = domains.get(keyOf({ node, namespace, serviceAccount }));
      if (expected === undefined || expected.has(trustDomain)) return [];
      const detail = `certificate in ${trustDomain}, its workloads in ${[...expected].join(', ')}`;
      return [concernCertificate(item, detail)];
    }),
  );
};

/** Of this cluster's pods: those of other clusters have nodes of their own, whose names may be the same. */
function listWorkloadDomains({ answers, whole }: Situation): ReadonlyMap<string, ReadonlySet<string>> {
  const domains = new Map<string, Set<string>>();
  for (const answer of whole) {
    const { dump } = answer;
    // Where every dump is whole, each need only speak for its own node.
    const own = whole.length === answers.length ? nodeOf(answer) : null;
    for (const workload of dump.workloads) {
      if (own !== null && workload.node !== own) continue;
      const { kind, cluster } = describeWorkload(workload);
      const isLocal = dump.config.clusterId === undefined || cluster === dump.config.clusterId;
      if (kind !== 'Pod' || !isLocal || workload.networkMode === 'HostNetwork') continue;
      const known = domains.get(keyOf(workload)) ?? new Set();
      domains.set(keyOf(workload), known.add(workload.trustDomain));
    }
  }
  return domains;
}

/** Captured pods that run as `default`, in a namespace where others have service accounts of their own. */
export const defaultServiceAccount: Finder = (situation) => {
  const why = whyUnknown('pods', situation.inventory.pods);
  if (why !== undefined) return notEvaluated(why);
  const namespaces = Map.groupBy(situation.captured, ({ metadata }) => metadata.namespace ?? '');
  return found(
    [...namespaces]
      .toSorted(([a], [b]) => compareText(a, b))
      .flatMap(([namespace, pods]) => {
        const shared = pods.filter(runsAsDefault);
        if (shared.length === 0 || shared.length === pods.length) return [];
        return [
          {
            kind: 'ServiceAccount' as const,
            namespace,
            name: 'default',
            node: null,
            ztunnel: null,
            detail: `${shared.length} of ${pods.length} captured pods run as it`,
            hits: situation.ownersOf(shared),
          },
        ];
      }),
  );
};

function runsAsDefault({ spec }: Pod): boolean {
  return (spec?.serviceAccountName || 'default') === 'default';
}
