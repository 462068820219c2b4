// What is wrong with a name that clients expect, against the identities of the endpoints that they reach.

import { compareText } from '../../base/order.ts';
import { parseIdentity } from '../certificates/identity.ts';
import type { Severity } from '../types.ts';
import type { NamedEndpoint } from './endpoints.ts';
import type { NameList } from './lists.ts';

/** In the order of the table: what is worst of a name is its STATUS. */
export const NAME_STATUSES = {
  REFUSED: 'critical',
  'TLS-DISABLED': 'warning',
  'NOT-SPIFFE': 'warning',
  'UNKNOWN-DOMAIN': 'warning',
  UNMATCHED: 'warning',
  'NO-ENDPOINTS': 'information',
  'NOT-JUDGED': 'information',
  OK: 'ok',
} as const satisfies Record<string, Severity>;
export type NameStatus = keyof typeof NAME_STATUSES;

export interface NameProblem {
  readonly status: Exclude<NameStatus, 'OK'>;
  /** A phrase without a full stop. */
  readonly reason: string;
}

/** A list, and the endpoints that it is about. */
export interface JudgedList {
  readonly list: NameList;
  /** Those of the subset; those whose labels are not known are among them. */
  readonly endpoints: readonly NamedEndpoint[];
  /** Those that clients refuse, since their identity has none of the names. */
  readonly refused: readonly NamedEndpoint[];
  /** Names stand for identities of the mesh, and are compared with them. */
  readonly comparable: boolean;
}

/** Finds out which endpoints a list is about, and which of them it shuts out. */
export function judgeList(list: NameList, all: readonly NamedEndpoint[]): JudgedList {
  const endpoints = all.filter((endpoint) => mayBeIn(endpoint, list));
  const comparable = isComparable(list);
  // ztunnel also accepts the identity that it was told of the workload, so that its own lists shut nobody out.
  const binds = comparable && list.source.kind === 'DestinationRule' && list.names.length > 0;
  const certain = endpoints.filter(({ labels }) => list.labels === undefined || labels !== undefined);
  const refused = certain.filter(({ identity }) => !list.names.some((name) => isMatch(name, identity, list)));
  return { list, endpoints, refused: binds ? refused : [], comparable };
}

/** Whether an expected name takes an identity. ztunnel compares whole texts; in rules a final `*` stands for any rest. */
export function isMatch(name: string, identity: string, { source }: NameList): boolean {
  return source.kind === 'DestinationRule' && name.endsWith('*')
    ? identity.startsWith(name.slice(0, -1))
    : name === identity;
}

function mayBeIn({ labels }: NamedEndpoint, list: NameList): boolean {
  if (list.labels === undefined || labels === undefined) return true;
  return Object.entries(list.labels).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
}

/** The certificates of ISTIO_MUTUAL are the mesh's; workloads bring those of MUTUAL, unless the names say otherwise. */
function isComparable({ mode, names }: NameList): boolean {
  if (mode === null || mode === 'ISTIO_MUTUAL') return true;
  return mode === 'MUTUAL' && names.every((name) => name.startsWith('spiffe://'));
}

/** All that is wrong with one name of a list (null: it has none). `domains`: trust domains that certificates have. */
export function judgeName(
  name: string | null,
  judged: JudgedList,
  domains: ReadonlySet<string>,
): readonly NameProblem[] {
  const { list, endpoints } = judged;
  if (list.mode === 'DISABLE') return judgeDisabled(judged);
  if (name === null) return [];
  if (!judged.comparable) {
    const reason = `mode ${list.mode}: the workloads bring certificates of their own, which are not known`;
    return [{ status: 'NOT-JUDGED', reason }];
  }
  const unread = list.source.kind !== 'DestinationRule' && parseIdentity(name) === undefined;
  return [
    ...refusal(judged),
    ...(unread
      ? [
          {
            status: 'NOT-SPIFFE' as const,
            reason: 'ztunnel ignores it: it is no spiffe://TRUST-DOMAIN/ns/NAMESPACE/sa/ACCOUNT',
          },
        ]
      : []),
    ...(endpoints.length === 0 ? [{ status: 'NO-ENDPOINTS' as const, reason: describeAbsence(list) }] : []),
    ...(unread || endpoints.length === 0 ? [] : mismatch(name, judged, domains)),
  ];
}

function judgeDisabled({ list, endpoints }: JudgedList): readonly NameProblem[] {
  const hbone = endpoints.filter(({ speaksHbone }) => speaksHbone).length;
  if (hbone > 0) {
    return [{ status: 'TLS-DISABLED', reason: `${hbone} of ${endpoints.length} endpoints are HBONE` }];
  }
  return list.names.length === 0
    ? []
    : [{ status: 'NOT-JUDGED', reason: 'mode DISABLE: no certificate is asked for' }];
}

function refusal({ refused, endpoints }: JudgedList): readonly NameProblem[] {
  if (refused.length === 0) return [];
  const whose = nameSome(refused.map(({ identity }) => identity));
  const reason = `${refused.length} of ${endpoints.length} endpoints have none of the list's names: ${whose}`;
  return [{ status: 'REFUSED', reason }];
}

function mismatch(
  name: string,
  { list, endpoints }: JudgedList,
  domains: ReadonlySet<string>,
): readonly NameProblem[] {
  if (endpoints.some(({ identity }) => isMatch(name, identity, list))) return [];
  const domain = /^spiffe:\/\/([^/*]+)\//.exec(name)?.[1];
  if (domain !== undefined && domains.size > 0 && !domains.has(domain)) {
    const known = nameSome([...domains].toSorted(compareText));
    return [
      { status: 'UNKNOWN-DOMAIN', reason: `no certificate is in ${domain}; there are those of ${known}` },
    ];
  }
  const literal = list.mode === null && name.endsWith('*') ? 'ztunnel takes its * literally; ' : '';
  const reason = `${literal}the endpoints run as ${nameSome(endpoints.map(({ identity }) => identity))}`;
  return [{ status: 'UNMATCHED', reason }];
}

function describeAbsence({ service, source, labels }: NameList): string {
  if (service === undefined) return 'ztunnel knows no service of this host';
  return labels === undefined || service.endpoints.length === 0
    ? 'the service has no endpoints'
    : `no endpoint has the labels of subset ${source.subset}`;
}

const NAMES_SHOWN = 3;

function nameSome(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  const more = distinct.length > NAMES_SHOWN ? ` and ${distinct.length - NAMES_SHOWN} more` : '';
  return `${distinct.slice(0, NAMES_SHOWN).join(', ')}${more}`;
}
