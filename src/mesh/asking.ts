// What of a command's options decides which ztunnels are asked, and how.

import type { Ztunnel } from '../model/types.ts';
import type { Mesh } from './mesh.ts';

export interface Asking {
  /** The words after the command; the first is TARGET, where the command takes one. */
  readonly words: readonly string[];
  /** `-l`, a label selector of the pods behind the rows. */
  readonly selector?: string | undefined;
  /** `-n`: the workloads' namespace, or where TARGET is. */
  readonly namespace: string | undefined;
  readonly allNamespaces: boolean;
  /** Only ztunnels on these nodes; all if empty. */
  readonly node: readonly string[];
  readonly ztunnelNamespace: string | undefined;
  readonly ztunnelSelector: string;
  readonly proxyAdminPort: number;
  /** Of each ztunnel, in milliseconds. */
  readonly timeout: number;
  /** How many ztunnels are asked at once. */
  readonly concurrency: number;
  /** Saved files; none if the mesh is live. */
  readonly file: readonly string[];
}

/** The ztunnels' pods, wherever they may be, before --node and their phases are looked at. */
export function findZtunnels(
  { ztunnelSelector: selector, ztunnelNamespace: namespace }: Asking,
  { cluster, signal }: Pick<Mesh, 'cluster' | 'signal'>,
): Promise<readonly Ztunnel[]> {
  return cluster.findZtunnels({ selector, namespace, signal });
}
