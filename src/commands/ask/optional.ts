// How kinds are listed that a mesh need not have, or that one need not be allowed to list.

import type { ListKind, ListKinds } from '../../cluster/cluster.ts';
import { AbsentError, ForbiddenError, UserError } from '../../errors.ts';
import type { ListedIfThere } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';

export interface Outcome<T> {
  readonly listed: ListedIfThere<T>;
  /** Why it failed; a refused or absent list is only not known. */
  readonly failure: UserError | undefined;
}

/** Lists one kind in all namespaces; files without any object of it are not asked. */
export async function listOptional<K extends ListKind>(
  kind: K,
  { cluster, signal }: CommandContext,
): Promise<Outcome<ListKinds[K]>> {
  const unknown = (why: 'not-asked' | 'absent' | 'forbidden', failure?: UserError) => ({
    listed: { known: false, why } as const,
    failure,
  });
  if (!cluster.canList(kind) && cluster.source === 'files') return unknown('not-asked');
  try {
    const items = await cluster.list(kind, { signal });
    return { listed: { known: true, items }, failure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    if (error instanceof AbsentError) return unknown('absent');
    if (error instanceof ForbiddenError) return unknown('forbidden');
    return { listed: { known: false, why: 'failed' }, failure: error };
  }
}
