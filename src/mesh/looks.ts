// How a command looks once, or again and again, at one cluster or at several.

import { UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { ContextsOptions } from '../commands/flags/contexts.ts';
import type { WatchOptions } from '../commands/flags/watchflags.ts';
import type { Report } from '../printers/printer.ts';
import { type Asked, type Look, onlyContext, openContexts } from './contexts.ts';
import { type Round, watch } from './watch.ts';

export interface Steps<O, T, L, S> {
  /** Asks one cluster. */
  readonly look: Look<O, T>;
  /** What all of them have come to. */
  readonly join: (asked: Asked<T>) => L;
  /** With --watch: what is new since the last round. */
  readonly watched: (joined: L, previous: S | undefined, time: Date) => Promise<Round<S>>;
}

/** One report, or one for each round. */
export async function* reportLooks<
  O extends ContextsOptions & WatchOptions,
  T,
  L extends { readonly report: Report },
  S,
>(options: O, context: CommandContext, { look, join, watched }: Steps<O, T, L, S>): AsyncGenerator<Report> {
  const contexts =
    options.contexts.length === 0
      ? onlyContext(options, context)
      : openContexts(options, context, { moving: options.watch });
  try {
    if (!options.watch) {
      yield join(await contexts.ask(look, context)).report;
      return;
    }
    yield* watch(
      async (bounded, previous: S | undefined, time) => {
        const asked = await contexts.ask(look, bounded);
        if (previous === undefined) refuseNothing(asked);
        return watched(join(asked), previous, await time());
      },
      options,
      contexts.outer,
    );
  } finally {
    await contexts.close();
  }
}

/** As with one cluster: what can't be asked at first is not worth waiting for. */
function refuseNothing({ parts, failures: [first, ...others] }: Asked<unknown>): void {
  if (parts.length > 0 || first === undefined) return;
  const more =
    others.length === 0 ? '' : `; nor could ${others.map(({ cluster }) => cluster).join(', ')} be asked`;
  throw new UserError(`${first.cluster}: ${first.message}${more}`, first.hint);
}
