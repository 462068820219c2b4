// What the page of `certs -o html` and `check -o html` shows: counts, each certificate's life, a table, and notes.

import { formatDuration, formatTime } from '../../base/duration.ts';
import { compareBy, compareText } from '../../base/order.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { ClusterFailure, Failure, Reference, Severity } from '../../model/types.ts';
import { keyOfNode } from '../../model/ztunnels/ztunnels.ts';
import type { Table } from '../../printers/printer.ts';
import type { Life, LifeGroup, Page } from '../../printers/shapes.ts';
import { displayExpiry, displayIdentity } from './certificatecolumns.ts';

export interface PageParts {
  readonly title: string;
  /** One sentence that counts what there is. */
  readonly summary: string;
  readonly bySeverity: Readonly<Record<Severity, number>>;
  readonly reference: Reference;
  readonly certificates: readonly CertificateItem[];
  readonly table: Table;
  readonly warnings: readonly string[];
  readonly failures: readonly (Failure | ClusterFailure)[];
  /** Several clusters, of which each is judged at a time of its own. */
  readonly several?: boolean;
}

const SOURCES = {
  'api-server': "the API server's clock",
  'system-clock': "the system's clock",
  flag: 'as asked for',
} satisfies Record<Reference['source'], string>;

export function pageOf(parts: PageParts): Page {
  const {
    title,
    summary,
    bySeverity,
    reference,
    certificates,
    table,
    warnings,
    failures,
    several = false,
  } = parts;
  const at = reference.time.getTime();
  return {
    title,
    summary,
    time: `${formatTime(at)} (${SOURCES[reference.source]}${several ? '; each cluster is judged by its own' : ''})`,
    counts: (['critical', 'warning', 'information', 'ok'] as const).map((severity) => ({
      label: severity === 'ok' ? 'OK' : severity,
      number: bySeverity[severity],
      tone: severity,
    })),
    at,
    groups: groupLives(certificates),
    table,
    notes: [
      ...failures.map((failure) => ({ kind: failure.severity, text: describeFailure(failure) })),
      ...warnings.map((text) => ({ kind: 'warning' as const, text })),
    ],
  };
}

function describeFailure({ cluster, ztunnel, message, hint }: Failure | ClusterFailure): string {
  const who = [
    ...(cluster === undefined ? [] : [cluster]),
    ...(ztunnel === null
      ? []
      : [`${ztunnel.name}${ztunnel.node === null ? '' : ` on node ${ztunnel.node}`}`]),
  ];
  return `${[...who, message].join(': ')}. ${hint}`;
}

const FINGERPRINT_DIGITS = 12;

/** By the root that they lead to; those that lead to none come first, since they need somebody. */
function groupLives(certificates: readonly CertificateItem[]): readonly LifeGroup[] {
  const dated = certificates.filter(({ notBefore, notAfter }) => notBefore !== null && notAfter !== null);
  const groups = Map.groupBy(dated, ({ anchor }) => anchor?.fingerprintSHA256 ?? '');
  return [...groups]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([print, members]) => ({
      title: print === '' ? 'No root' : `Root ${print.slice(0, FINGERPRINT_DIGITS)}`,
      detail:
        print === '' ? 'the chain leads to no root that is listed and valid' : members[0]!.anchor!.subject,
      lives: members.toSorted(compareByNode).map(lifeOf),
    }));
}

const compareByNode = compareBy<CertificateItem>(
  (a, b) => compareText(keyOfNode(a) ?? '', keyOfNode(b) ?? ''),
  (a, b) => compareText(a.identity, b.identity),
  (a, b) => compareText(a.ztunnel?.name ?? '', b.ztunnel?.name ?? ''),
);

function lifeOf(item: CertificateItem): Life {
  const [from, leafEnd] = [Date.parse(item.notBefore!), Date.parse(item.notAfter!)];
  const to = Date.parse(item.effectiveNotAfter ?? item.notAfter!);
  const ends = (item.remainingSeconds ?? 0) > 0 ? 'expires' : 'expired';
  return {
    name: displayIdentity(item),
    node: keyOfNode(item) ?? '-',
    status: item.status,
    tone: item.severity,
    from,
    half: (from + leafEnd) / 2,
    to,
    detail: `${item.notBefore} to ${formatTime(to)}, ${formatDuration((leafEnd - from) / 1000)} long, ${ends} ${displayExpiry(item.remainingSeconds)}`,
  };
}
