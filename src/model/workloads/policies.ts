// How authorization policies of dumps become the rows of `policies`.

import { compareBy, compareText } from '../../base/order.ts';
import type { Policy } from '../dump.ts';
import type { PolicyItem } from '../items.ts';
import type { Answer } from '../types.ts';
import { joinHeld } from './compare.ts';

/** One row for each policy of the dumps, by namespace and name. */
export function joinPolicies(answers: readonly Answer[]): readonly PolicyItem[] {
  return joinHeld(
    answers,
    (dump) => dump.policies,
    ({ namespace, name }) => `${namespace}/${name}`,
  )
    .map(({ item: policy, ztunnels, differs }) => ({ policy, ztunnels, differs }))
    .toSorted((a, b) => comparePolicies(a.policy, b.policy));
}

/** By namespace and name, as istioctl does. */
export const comparePolicies = compareBy<Policy>(
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.name, b.name),
);
