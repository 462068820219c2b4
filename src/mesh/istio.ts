// How Istio's objects that say whom clients accept are listed, where there are any.

import { AbsentError, ForbiddenError, UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { IstioObjects, ListedIfThere } from '../model/types.ts';
import type { ListKinds } from '../sources/cluster.ts';

export interface ListedIstio {
  readonly objects: IstioObjects;
  /** One sentence for each list that failed; refused and absent ones are only not known. */
  readonly warnings: readonly string[];
  readonly partial: boolean;
}

const notAsked = { known: false, why: 'not-asked' } as const;

/** What stands in when nothing is asked of the API. */
export const noIstio: ListedIstio = {
  objects: { serviceEntries: notAsked, destinationRules: notAsked },
  warnings: [],
  partial: false,
};

interface Outcome<T> {
  readonly listed: ListedIfThere<T>;
  readonly failure: UserError | undefined;
}

/** Of all namespaces: clients of any namespace may bring their own rules. */
export async function listIstio(context: CommandContext): Promise<ListedIstio> {
  const [serviceEntries, destinationRules] = await Promise.all([
    tryList('serviceentries', context),
    tryList('destinationrules', context),
  ]);
  const failures = [serviceEntries, destinationRules].flatMap(({ failure }) => failure ?? []);
  return {
    objects: { serviceEntries: serviceEntries.listed, destinationRules: destinationRules.listed },
    warnings: [...new Set(failures.map(({ message }) => message))].map(
      (message) => `${message}; not all names that clients expect are known`,
    ),
    partial: failures.length > 0,
  };
}

type IstioKinds = Pick<ListKinds, 'serviceentries' | 'destinationrules'>;

async function tryList<K extends keyof IstioKinds>(
  kind: K,
  { cluster, signal }: CommandContext,
): Promise<Outcome<IstioKinds[K]>> {
  if (!cluster.canList(kind) && cluster.source === 'files') return { listed: notAsked, failure: undefined };
  try {
    const items = await cluster.list(kind, { signal });
    return { listed: { known: true, items }, failure: undefined };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    if (error instanceof AbsentError) return { listed: { known: false, why: 'absent' }, failure: undefined };
    const forbidden = error instanceof ForbiddenError;
    return forbidden
      ? { listed: { known: false, why: 'forbidden' }, failure: undefined }
      : { listed: { known: false, why: 'failed' }, failure: error };
  }
}
