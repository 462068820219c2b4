// How long work lets everything else have a turn, Ctrl-C first of all.

/** Settles once whatever was waiting has been dealt with. Throws the signal's reason if that was the end of it. */
export async function takeTurns(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/** The result of work that is done in steps, with a turn for everything else between two of them. */
export async function inTurns<T>(steps: Generator<void, T, void>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await takeTurns(signal);
  }
}
