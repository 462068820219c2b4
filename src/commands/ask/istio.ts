// How Istio's objects that say whom clients accept are listed, where there are any.

import type { IstioObjects } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import { listOptional } from './optional.ts';

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

/** Of all namespaces: clients of any namespace may bring their own rules. */
export async function listIstio(context: CommandContext): Promise<ListedIstio> {
  const [serviceEntries, destinationRules] = await Promise.all([
    listOptional('serviceentries', context),
    listOptional('destinationrules', context),
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
