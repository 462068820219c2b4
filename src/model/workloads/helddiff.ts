// What has become of the workloads, services and policies that ztunnels know, between two looks.

import type { Json, JsonObject } from '../../base/json.ts';
import type { Difference, DifferenceKind } from '../difference.ts';
import type { ConfigDump, Policy, Service, Workload } from '../dump.ts';
import type { Answer } from '../types.ts';
import { differingFields, type Held, joinHeld } from './compare.ts';
import { keyOfService } from './services.ts';
import { keyOfWorkload } from './workloads.ts';

interface Sort<T> {
  readonly kind: DifferenceKind;
  readonly items: (dump: ConfigDump) => readonly T[];
  readonly key: (item: T) => string;
  readonly node: (item: T) => string | null;
}

const WORKLOADS: Sort<Workload> = {
  kind: 'Workload',
  items: (dump) => dump.workloads,
  key: keyOfWorkload,
  node: ({ node }) => node || null,
};
const SERVICES: Sort<Service> = {
  kind: 'Service',
  items: (dump) => dump.services,
  key: keyOfService,
  node: () => null,
};
const POLICIES: Sort<Policy> = {
  kind: 'Policy',
  items: (dump) => dump.policies,
  key: ({ namespace, name }) => `${namespace}/${name}`,
  node: () => null,
};

/** All three, as the first ztunnel of each look that holds something has it. */
export function diffHeld(before: readonly Answer[], after: readonly Answer[]): readonly Difference[] {
  return [
    ...diffSort(WORKLOADS, before, after),
    ...diffSort(SERVICES, before, after),
    ...diffSort(POLICIES, before, after),
  ];
}

type Named = { readonly namespace: string; readonly name: string };

function diffSort<T extends Named>(
  sort: Sort<T>,
  before: readonly Answer[],
  after: readonly Answer[],
): readonly Difference[] {
  const index = (answers: readonly Answer[]) =>
    new Map(joinHeld(answers, sort.items, sort.key).map((held) => [sort.key(held.item), held]));
  const [old, now] = [index(before), index(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].flatMap((key) => compare(sort, key, old.get(key), now.get(key)) ?? []);
}

function compare<T extends Named>(
  { kind, node }: Sort<T>,
  id: string,
  old: Held<T> | undefined,
  now: Held<T> | undefined,
): Difference | undefined {
  const some = (now ?? old!).item;
  const fields = old && now ? differingFields(old.item, old.first, now.item, now.first) : [];
  if (old && now && fields.length === 0) return undefined;
  const { namespace, name } = some;
  return {
    kind,
    namespace,
    name,
    node: node(some),
    id,
    changes: [old === undefined ? 'added' : now === undefined ? 'removed' : 'changed'],
    severity: 'information',
    detail: old && now ? fields.map((field) => describeField(field, old.item, now.item)).join(', ') : '',
    before: old === undefined ? null : pick(old.item, fields),
    after: now === undefined ? null : pick(now.item, fields),
  };
}

/** `status Healthy → Unhealthy`; of what is no single value its name alone, and of lists how long they are. */
function describeField<T>(field: keyof T & string, old: T, now: T): string {
  const [was, is] = [old[field], now[field]];
  if (Array.isArray(was) && Array.isArray(is)) {
    return was.length === is.length ? field : `${field} ${was.length} → ${is.length}`;
  }
  const isPlain = (value: unknown) => value === undefined || typeof value !== 'object';
  return isPlain(was) && isPlain(is) ? `${field} ${shown(was)} → ${shown(is)}` : field;
}

function shown(value: unknown): string {
  return value === undefined || value === '' ? '-' : String(value);
}

function pick<T>(item: T, fields: readonly (keyof T & string)[]): JsonObject {
  // Decoded fields are plain values, lists and objects of these.
  return Object.fromEntries(fields.map((field) => [field, (item[field] ?? null) as Json]));
}
