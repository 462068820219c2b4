// Which identities anything that was heard tells of, and which can't be meant.

import { formatIdentity, parseIdentity } from '../certificates/identity.ts';
import { compareText } from '../order.ts';
import type { Answer } from '../types.ts';
import type { TargetPod } from './targetworld.ts';

/** Those of certificates and workloads, and of pods that a dump names; sorted. */
export function listKnownIdentities(
  answers: readonly Answer[],
  pods: readonly TargetPod[],
): readonly string[] {
  const known = new Set(pods.flatMap(({ identity }) => identity ?? []));
  for (const { dump } of answers) {
    for (const { identity } of dump.certificates) known.add(identity);
    for (const workload of dump.workloads) known.add(formatIdentity(workload));
  }
  return [...known].sort(compareText);
}

/** True where identities are known, and not one is in its trust domain. */
export function isInUnknownDomain(identity: string, known: readonly string[]): boolean {
  const domains = new Set(known.flatMap((each) => parseIdentity(each)?.trustDomain ?? []));
  return domains.size > 0 && !domains.has(parseIdentity(identity)?.trustDomain ?? '');
}

/** The same namespace and service account in other trust domains. */
export function listNamesakes(identity: string, known: readonly string[]): readonly string[] {
  const wanted = parseIdentity(identity);
  return known.filter((each) => {
    const { namespace, serviceAccount } = parseIdentity(each) ?? {};
    return each !== identity && namespace === wanted?.namespace && serviceAccount === wanted?.serviceAccount;
  });
}
