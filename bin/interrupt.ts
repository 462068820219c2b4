// Ctrl-C and the polite request to end, as a signal that everything listens to.

const INTERRUPTED = 130;
/** A connection that does not close must not keep the user waiting. */
const PATIENCE_MS = 150;

/** The first interrupt aborts; what then does not end by itself is ended, and so does a second interrupt. */
export function interruptSignal(process: NodeJS.Process): AbortSignal {
  const controller = new AbortController();
  const end = () => process.exit(INTERRUPTED);
  const interrupt = () => {
    if (controller.signal.aborted) end();
    controller.abort(new Error('interrupted'));
    setTimeout(end, PATIENCE_MS);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // The terminal has gone; what is half written must go, too.
  process.on('SIGHUP', interrupt);
  return controller.signal;
}
