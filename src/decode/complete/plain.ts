// Which values from outside may be printed as they came.

import { UserError } from '../../base/errors.ts';
import { type Budget, checkDepth } from '../kube/budget.ts';

/** Numbers that JSON does not have come from YAML. */
function checkNumbers(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new UserError(`at ${path} is the number ${value}, which JSON can't hold`, 'Write it as text.');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const held of Object.values(value)) checkNumbers(held, path);
}

/** Throws UserError if the value nests too deeply, spends the budget, or holds a number that JSON can't. */
export function checkPlain(value: unknown, path: string, budget: Budget): void {
  checkDepth(value, path, budget);
  checkNumbers(value, path);
}
