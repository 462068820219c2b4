// What a user can be told: a sentence that says what happened, and one that says what to do next.

/** Something the user can act on. Anything else that is thrown is a bug of ours and keeps its stack. */
export class UserError extends Error {
  override readonly name: string = 'UserError';
  /** The next step, as one sentence; empty only where the message already holds it. */
  readonly hint: string;

  constructor(message: string, hint = '', options?: { cause?: unknown }) {
    super(message, options);
    this.hint = hint;
  }
}

/** The command line itself is wrong: unknown flag, bad value, flags that exclude each other. */
export class UsageError extends UserError {
  override readonly name = 'UsageError';
}

/** The API server refused a right: the sentence names the verb and resource. */
export class ForbiddenError extends UserError {
  override readonly name = 'ForbiddenError';
  /** A ClusterRole, ready to apply, that holds what is missing; printed once however many refusals there are. */
  readonly clusterRole: string | undefined;

  constructor(message: string, hint = '', options?: { cause?: unknown; clusterRole?: string | undefined }) {
    super(message, hint, options);
    this.clusterRole = options?.clusterRole;
  }
}

/** TARGET names nothing that is there. */
export class AbsentTargetError extends UserError {
  override readonly name = 'AbsentTargetError';
}

/** The API server does not serve a kind of object: what defines it is not installed. */
export class AbsentError extends UserError {
  override readonly name = 'AbsentError';
}

/** The text of whatever was thrown, for a sentence that is shown to a person. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
