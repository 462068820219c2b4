// How much a value from outside may hold: how deep it may nest, how many values it may grow to.

import { UserError } from '../../base/errors.ts';

/**
 * Values that may still be visited. Text holds at most one value a character, so its length is enough for any
 * honest document; only YAML aliases can make more of it.
 */
export interface Budget {
  left: number;
  /** Made when it is spent, if that has another reason than aliases. */
  readonly spent?: (path: string) => UserError;
}

/** Deeper than any field set of the Kubernetes API, and far from where recursion ends. */
export const MAX_DEPTH = 100;

export function spend(budget: Budget, path: string): void {
  budget.left -= 1;
  if (budget.left < 0) {
    if (budget.spent !== undefined) throw budget.spent(path);
    throw new UserError(
      `at ${path} the document grows beyond its own size by repeating itself through aliases`,
      'Save it again without aliases, for example with kubectl get -o json.',
    );
  }
}

/** Throws UserError if a JSON value nests deeper than MAX_DEPTH or holds more values than the budget. */
export function checkDepth(value: unknown, path: string, budget: Budget, depth = 0): void {
  spend(budget, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) {
    throw new UserError(
      `at ${path} the document nests more than ${MAX_DEPTH} levels deep`,
      'No Kubernetes object does: check where the document comes from.',
    );
  }
  for (const held of Object.values(value)) checkDepth(held, path, budget, depth + 1);
}
