// How most of a command comes to be loaded only when it is run.

import type { Report } from '../printers/printer.ts';
import type { CommandContext } from './command.ts';

type Run<Options> = (options: Options, context: CommandContext) => AsyncGenerator<Report>;

/** A `run` whose code is loaded when it is called: help, completion and usage errors do without it. */
export function later<Options>(load: () => Promise<{ readonly run: Run<Options> }>): Run<Options> {
  return async function* run(options, context) {
    const loaded = await load();
    yield* loaded.run(options, context);
  };
}
