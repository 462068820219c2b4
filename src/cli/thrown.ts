// What is said, and which exit code is returned, when a run ends by something that was thrown.

import { ForbiddenError, messageOf, UserError } from '../base/errors.ts';
import { renderError } from '../printers/notes.ts';
import type { ParsedArgv } from './argv/argv.ts';
import type { Io } from './io.ts';

const INTERRUPTED = 130;

/** 130 after Ctrl-C; else what the command says of errors, 1 by default. */
export function exitCodeOf(parsed: ParsedArgv, { signal }: Pick<Io, 'signal'>): number {
  if (signal.aborted) return INTERRUPTED;
  return parsed.type === 'run' ? (parsed.command.errorExitCode ?? 1) : 1;
}

/**
 * The text for stderr: a UserError is one sentence with a next step; anything else is our bug, and keeps its stack for
 * `--v=1` or DEBUG. Nothing after an interrupt, or where whoever read our output has enough of it.
 */
export function renderThrown(
  error: unknown,
  parsed: ParsedArgv,
  { signal, env }: Pick<Io, 'signal' | 'env'>,
): string {
  if (signal.aborted || isBrokenPipe(error)) return '';
  if (error instanceof UserError) {
    const role = error instanceof ForbiddenError ? (error.clusterRole ?? '') : '';
    return renderError(error.message, error.hint) + role;
  }
  if (isAstray(error)) {
    return renderError('the current directory is no longer there', 'Change to one that is, and try again.');
  }
  const verbose = (parsed.type === 'run' && Number(parsed.options.v ?? 0) >= 1) || (env.DEBUG ?? '') !== '';
  const sentence = renderError(
    `internal error: ${messageOf(error)}`,
    'This is a bug; run again with --v=1 and report what it prints.',
  );
  return sentence + (verbose && error instanceof Error ? `${error.stack}\n` : '');
}

/** What Node says when a relative path starts from a directory that was removed. */
function isAstray(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

function isBrokenPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
  );
}
