// What `certs --group-by` puts together.

import { type Comparator, compareBy, compareText } from '../../base/order.ts';
import type { CertificateItem } from '../items.ts';
import { compareGravity } from '../order.ts';
import { keyOfNode } from '../ztunnels/ztunnels.ts';
import { type Counts, countCertificates } from './summary.ts';

/** What each certificate is grouped by; '-' where it has none. */
const GROUP_KEYS = {
  identity: ({ identity }) => identity,
  // Clusters may have nodes of the same name.
  node: (item) => keyOfNode(item) ?? '-',
  namespace: ({ namespace }) => namespace ?? '-',
  status: ({ status }) => status,
  issuer: ({ issuer }) => issuer ?? '-',
  // The root that the chain leads to, not those that are listed: during a rotation both are listed everywhere.
  root: ({ anchor }) => anchor?.fingerprintSHA256 ?? '-',
  cluster: ({ cluster }) => cluster ?? '-',
} as const satisfies Record<string, (item: CertificateItem) => string>;

export type ByKey = keyof typeof GROUP_KEYS;

/** `trusts` counts roots, by who trusts them: model/trust/roots.ts. */
export type Grouping = ByKey | 'trusts';

/** What `--group-by` takes; `cluster` only where several are asked. */
export const GROUPINGS: readonly Grouping[] = [...(Object.keys(GROUP_KEYS) as readonly ByKey[]), 'trusts'];

export interface CertificateGroup extends Counts {
  /** The shared SPIFFE id, node, namespace, status, issuer, root fingerprint, or cluster. */
  readonly group: string;
  /** The earliest effective expiry of all that have one, RFC 3339. */
  readonly earliestNotAfter: string | null;
  /** Whole seconds to it, as in its CertificateItem. */
  readonly remainingSeconds: number | null;
}

/** The groups: the one with the gravest certificate first, then by what they share. */
export function groupCertificates(items: readonly CertificateItem[], by: ByKey): readonly CertificateGroup[] {
  return [...Map.groupBy(items, GROUP_KEYS[by])]
    .map(([group, members]) => ({ group, members, gravest: members.toSorted(compareGravity)[0]! }))
    .toSorted(compareGroups)
    .map(({ group, members }) => ({
      group,
      ...countCertificates(members),
      ...findEarliest(members),
    }));
}

interface Group {
  readonly group: string;
  readonly gravest: CertificateItem;
}

const compareGroups: Comparator<Group> = compareBy(
  (a, b) => compareGravity(a.gravest, b.gravest),
  (a, b) => compareText(a.group, b.group),
);

/** Each is judged at the time of its own cluster. */
function findEarliest(
  members: readonly CertificateItem[],
): Pick<CertificateGroup, 'earliestNotAfter' | 'remainingSeconds'> {
  const [earliest] = members
    .filter(({ effectiveNotAfter }) => effectiveNotAfter !== null)
    .toSorted((a, b) => Date.parse(a.effectiveNotAfter!) - Date.parse(b.effectiveNotAfter!));
  return {
    earliestNotAfter: earliest?.effectiveNotAfter ?? null,
    remainingSeconds: earliest?.remainingSeconds ?? null,
  };
}
