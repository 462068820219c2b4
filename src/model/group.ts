// What `certs --group-by` puts together.

import { formatTime } from './duration.ts';
import { type Comparator, compareBy, compareGravity, compareText } from './order.ts';
import { type Counts, countCertificates } from './summary.ts';
import type { CertificateItem } from './types.ts';

/** What each certificate is grouped by; '-' where it has none. */
const GROUP_KEYS = {
  identity: ({ identity }) => identity,
  node: ({ node }) => node ?? '-',
  namespace: ({ namespace }) => namespace ?? '-',
  status: ({ status }) => status,
  issuer: ({ issuer }) => issuer ?? '-',
  // The root that the chain leads to, not those that are listed: during a rotation both are listed everywhere.
  root: ({ anchor }) => anchor?.fingerprintSHA256 ?? '-',
} as const satisfies Record<string, (item: CertificateItem) => string>;

export type Grouping = keyof typeof GROUP_KEYS;

/** What `--group-by` takes. */
export const GROUPINGS = Object.keys(GROUP_KEYS) as readonly Grouping[];

export interface CertificateGroup extends Counts {
  /** The shared SPIFFE id, node, namespace, status, issuer, or root fingerprint. */
  readonly group: string;
  /** The earliest effective expiry of all that have one, RFC 3339. */
  readonly earliestNotAfter: string | null;
  /** Whole seconds from the reference time to it, rounded as in CertificateItem. */
  readonly remainingSeconds: number | null;
}

/** The groups: the one with the gravest certificate first, then by what they share. */
export function groupCertificates(
  items: readonly CertificateItem[],
  by: Grouping,
  reference: Date,
): readonly CertificateGroup[] {
  return [...Map.groupBy(items, GROUP_KEYS[by])]
    .map(([group, members]) => ({ group, members, gravest: members.toSorted(compareGravity)[0]! }))
    .toSorted(compareGroups)
    .map(({ group, members }) => ({
      group,
      ...countCertificates(members),
      ...findEarliest(members, reference.getTime()),
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

function findEarliest(
  members: readonly CertificateItem[],
  at: number,
): Pick<CertificateGroup, 'earliestNotAfter' | 'remainingSeconds'> {
  const times = members.flatMap(({ effectiveNotAfter }) =>
    effectiveNotAfter === null ? [] : [Date.parse(effectiveNotAfter)],
  );
  if (times.length === 0) return { earliestNotAfter: null, remainingSeconds: null };
  const earliest = times.reduce((a, b) => Math.min(a, b));
  return {
    earliestNotAfter: formatTime(earliest),
    remainingSeconds: Math.ceil((earliest - at) / 1000) + 0,
  };
}
