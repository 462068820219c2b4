// How a test looks at the UserError that a promise ends with.

import { UserError } from '../../src/base/errors.ts';

export interface Told {
  readonly name: string;
  readonly message: string;
  readonly hint: string;
}

/** What the user would be told. Fails if nothing is thrown, or something that is no UserError. */
export async function told(promise: Promise<unknown>): Promise<Told> {
  try {
    await promise;
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    const { name, message, hint } = thrown;
    return { name, message, hint };
  }
  throw new Error('nothing was thrown');
}

/** Every failure is one sentence and a next step, without a stack or line breaks. */
export function isOneSentence({ message, hint }: Told): boolean {
  return /^(?:[a-z"/]|--|API )[^\n]*[^.\n]$/.test(message) && /^[^\n]+[.?]$/.test(hint);
}
