// Which node a ztunnel serves, whatever it was read from, and how ztunnels are told apart and ordered.

import { compareBy, compareText } from '../order.ts';
import type { Answer, Ztunnel, ZtunnelRef } from '../types.ts';

/** The node of a ztunnel that answered: its pod's, or what its own dump says. */
export function nodeOf({ ztunnel, dump }: Answer): string | null {
  return ztunnel.node ?? dump.config.localNode ?? null;
}

/** How a ztunnel that answered is referred to. */
export function refOf(answer: Answer): ZtunnelRef {
  const { namespace, name } = answer.ztunnel;
  return { namespace, name, node: nodeOf(answer) };
}

/** Tells a ztunnel from all others. */
export function keyOfZtunnel({ namespace, name }: Pick<Ztunnel, 'namespace' | 'name'>): string {
  return `${namespace ?? ''}/${name}`;
}

/** By namespace and name. */
export const compareRefs = compareBy<ZtunnelRef>(
  (a, b) => compareText(a.namespace ?? '', b.namespace ?? ''),
  (a, b) => compareText(a.name, b.name),
);

/** By node, then by namespace and name: how ztunnels themselves are listed. */
export const compareByNode = compareBy<ZtunnelRef>(
  (a, b) => compareText(a.node ?? '', b.node ?? ''),
  compareRefs,
);
