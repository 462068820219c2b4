// How the labels of Namespaces are listed, which say what is to be captured.

import type { KubeObject } from '../../model/kubernetes.ts';
import type { ListedIfThere } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import { listOptional } from './optional.ts';

export interface ListedNamespaces {
  /** Not known where they may not be listed: the right is optional. */
  readonly namespaces: ListedIfThere<KubeObject>;
  /** Why the list failed, for another reason than a missing right. */
  readonly warning: string | undefined;
}

/** What stands in when nothing is asked of the API. */
export const noNamespaces: ListedNamespaces = {
  namespaces: { known: false, why: 'not-asked' },
  warning: undefined,
};

export async function listNamespaces(context: CommandContext): Promise<ListedNamespaces> {
  const { listed, failure } = await listOptional('namespaces', context);
  // A snapshot of an earlier release has none: every cluster has.
  const namespaces = !listed.known && listed.why === 'absent' ? noNamespaces.namespaces : listed;
  const warning = failure && `${failure.message}; what is to be captured is not known`;
  return { namespaces, warning };
}
