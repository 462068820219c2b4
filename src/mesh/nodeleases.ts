// How the Leases of nodes are listed for findings.

import { ForbiddenError, UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { Lease } from '../model/kubernetes.ts';
import { NODE_LEASE_NAMESPACE } from '../model/leases/leases.ts';
import type { Listed } from '../model/types.ts';

export interface ListedLeases {
  readonly leases: Listed<Lease>;
  /** Why they could not be had. */
  readonly warning: string | undefined;
  readonly clusterRole: string | undefined;
}

/** What stands in where they are not asked for, or where there is nobody to ask. */
export const noLeases: ListedLeases = {
  leases: { known: false, why: 'not-asked' },
  warning: undefined,
  clusterRole: undefined,
};

/** A refused or failed list becomes a warning. */
export async function listNodeLeases({ cluster, signal }: CommandContext): Promise<ListedLeases> {
  if (!cluster.canList('leases')) return noLeases;
  try {
    const items = await cluster.list('leases', { namespace: NODE_LEASE_NAMESPACE, signal });
    return { ...noLeases, leases: { known: true, items } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UserError)) throw error;
    const forbidden = error instanceof ForbiddenError;
    return {
      leases: { known: false, why: forbidden ? 'forbidden' : 'failed' },
      warning: `${error.message}; dead nodes are not known`,
      clusterRole: forbidden ? error.clusterRole : undefined,
    };
  }
}
