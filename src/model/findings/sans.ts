// What `check` says of the names against which clients verify servers.

import { describeSource, type NameEndpoint, type NameItem } from '../sans/items.ts';
import type { NameProblem } from '../sans/judge.ts';
import type { IstioObjects, ListedIfThere } from '../types.ts';
import { mergeHits } from './authorities.ts';
import { type Concerned, type Finder, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Istio's objects without which a finding is not looked for everywhere. */
type Needed = readonly (keyof IstioObjects)[];

/** Names with this problem, each list's apart. */
export function namesWith(status: NameProblem['status'], needed: Needed): Finder {
  return look(needed, ({ expectedNames }) =>
    expectedNames.flatMap((item) => {
      const problem = item.problems.find((each) => each.status === status);
      return problem === undefined ? [] : [concernName(item, problem)];
    }),
  );
}

/** Endpoints that clients refuse, each once for every list that shuts it out. */
export const refusedEndpoints: Finder = look(['destinationRules'], ({ expectedNames }) => {
  const lists = Map.groupBy(
    expectedNames.filter(({ endpoints }) => endpoints.some(({ refused }) => refused)),
    (item) => `${item.namespace}/${item.host} ${describeSource(item.source)}`,
  );
  return [...lists.values()].flatMap(([item, ...others]) =>
    item!.endpoints
      .filter(({ refused }) => refused)
      .map((endpoint) => concernEndpoint(endpoint, [item!, ...others])),
  );
});

function look(needed: Needed, find: (situation: Situation) => readonly Concerned[]): Finder {
  return (situation) => {
    if (situation.meshKnown.length === 0) return notEvaluated('without a whole dump');
    return { objects: find(situation), notEvaluated: whyPartial(situation.istio, needed) };
  };
}

const LISTS = {
  serviceEntries: 'ServiceEntries',
  destinationRules: 'DestinationRules',
} as const satisfies Record<keyof IstioObjects, string>;

/** Why some of Istio's objects are not known; undefined if all are. */
export function whyPartial(istio: IstioObjects, needed: Needed): string | undefined {
  const unknown = needed.filter((each) => !istio[each].known);
  const groups = Map.groupBy(unknown, (each) => {
    const listed: ListedIfThere<unknown> = istio[each];
    return listed.known ? '' : listed.why;
  });
  const sentences = [...groups.values()].map((members) =>
    whyUnknown(members.map((each) => LISTS[each]).join(' and '), istio[members[0]!]),
  );
  return sentences.length === 0 ? undefined : sentences.join(', ');
}

function concernName(item: NameItem, { reason }: NameProblem): Concerned {
  const whose = item.name === null ? '' : ` of ${item.name}`;
  return {
    kind: 'Service',
    namespace: item.namespace,
    name: item.service ?? item.host,
    node: null,
    ztunnel: null,
    detail: `${describeSource(item.source)}${whose}: ${reason}`,
    hits: mergeHits(item.endpoints.map(({ owners }) => owners)),
  };
}

function concernEndpoint(endpoint: NameEndpoint, list: readonly NameItem[]): Concerned {
  const { workload, identity, owners } = endpoint;
  const [{ source, host }] = list as [NameItem];
  const names = list.slice(0, 3).map(({ name }) => name);
  const more = list.length > 3 ? ` and ${list.length - 3} more` : '';
  return {
    kind: endpoint.kind === 'Pod' ? 'Pod' : 'Workload',
    namespace: workload.namespace,
    name: workload.name,
    node: workload.node || null,
    ztunnel: null,
    detail: `${identity}; for ${host}, ${describeSource(source)} takes only ${names.join(', ')}${more}`,
    hits: owners,
  };
}
