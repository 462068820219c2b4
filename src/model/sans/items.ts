// How names that clients accept and identities that servers present become the rows of `sans`.

import type { JsonObject } from '../../base/json.ts';
import { type Comparator, compareBy, compareText } from '../../base/order.ts';
import { parseIdentity } from '../certificates/identity.ts';
import { compareSeverity } from '../order.ts';
import type { PodSources } from '../owners/pods.ts';
import type { Answer, IstioObjects, Severity } from '../types.ts';
import { joinServices } from '../workloads/services.ts';
import { createEndpointLookup, type NamedEndpoint } from './endpoints.ts';
import {
  isMatch,
  type JudgedList,
  judgeList,
  judgeName,
  NAME_STATUSES,
  type NameProblem,
  type NameStatus,
} from './judge.ts';
import { listNames, type NameSource } from './lists.ts';

export interface NameEndpoint extends NamedEndpoint {
  /** Its identity is what this name takes. */
  readonly matches: boolean;
  /** It is shut out by the list as a whole. */
  readonly refused: boolean;
}

/** One expected name of one list about one service host: a row of `sans`. */
export interface NameItem {
  /** The service's, or its source's where there is no such service. */
  readonly namespace: string;
  /** null where ztunnel knows no such service. */
  readonly service: string | null;
  readonly host: string;
  readonly source: NameSource;
  readonly mode: string | null;
  /** null for a DestinationRule that disables TLS without naming anybody. */
  readonly name: string | null;
  readonly endpoints: readonly NameEndpoint[];
  /** Worst first; empty for OK. */
  readonly problems: readonly NameProblem[];
  readonly status: NameStatus;
  readonly severity: Severity;
  /** The service as ztunnel sent it. */
  readonly raw: JsonObject | undefined;
}

export interface NameInput extends PodSources {
  /** All dumps that were read: certificates tell the trust domains that there are. */
  readonly answers: readonly Answer[];
  /** Those with services and workloads. */
  readonly whole: readonly Answer[];
  readonly istio: IstioObjects;
}

/** One row for each expected name, worst first. */
export function joinNames({ answers, whole, istio, ...sources }: NameInput): readonly NameItem[] {
  const services = joinServices(whole).map(({ service }) => service);
  const endpointsOf = createEndpointLookup({ ...sources, answers: whole });
  const domains = new Set(
    answers.flatMap(({ dump }) =>
      dump.certificates.flatMap(({ identity }) => parseIdentity(identity)?.trustDomain ?? []),
    ),
  );
  return listNames(services, istio)
    .map((list) => judgeList(list, list.service === undefined ? [] : endpointsOf(list.service)))
    .flatMap((judged) => itemsOf(judged, domains))
    .toSorted(compareNames);
}

function itemsOf(judged: JudgedList, domains: ReadonlySet<string>): readonly NameItem[] {
  const { list, endpoints, refused } = judged;
  const names: readonly (string | null)[] = list.names.length === 0 ? [null] : list.names;
  return names.flatMap((name): readonly NameItem[] => {
    const problems = judgeName(name, judged, domains);
    if (name === null && problems.length === 0) return [];
    const status = problems[0]?.status ?? 'OK';
    return [
      {
        namespace: list.service?.namespace ?? list.source.namespace,
        service: list.service === undefined ? null : list.service.name || list.host,
        host: list.host,
        source: list.source,
        mode: list.mode,
        name,
        endpoints: endpoints.map((endpoint) => ({
          ...endpoint,
          matches: name !== null && isMatch(name, endpoint.identity, list),
          refused: refused.includes(endpoint),
        })),
        problems,
        status,
        severity: NAME_STATUSES[status],
        raw: list.service?.raw,
      },
    ];
  });
}

const STATUS_RANK = new Map(Object.keys(NAME_STATUSES).map((status, rank) => [status, rank]));

/** In the order of the STATUS table. */
export function rankName({ status }: Pick<NameItem, 'status'>): number {
  return STATUS_RANK.get(status)!;
}

/** `DestinationRule/y subset z port 80`; with its namespace in front of the name where that is not `home`. */
export function describeSource({ kind, namespace, name, subset, port }: NameSource, home?: string): string {
  const where = namespace === home ? name : `${namespace}/${name}`;
  const part = `${subset === null ? '' : ` subset ${subset}`}${port === null ? '' : ` port ${port}`}`;
  return `${kind}/${where}${part}`;
}

const compareNames: Comparator<NameItem> = compareBy(
  (a, b) => compareSeverity(a.severity, b.severity),
  (a, b) => rankName(a) - rankName(b),
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.host, b.host),
  (a, b) => compareText(describeSource(a.source), describeSource(b.source)),
  (a, b) => compareText(a.name ?? '', b.name ?? ''),
);
