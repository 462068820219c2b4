// How a node is told from those of the same name in other clusters.

/** Its name alone where only one cluster is asked; null for what is on no node that is known. */
export function keyOfNode({
  cluster,
  node,
}: {
  readonly cluster?: string | undefined;
  readonly node: string | null;
}): string | null {
  return cluster === undefined ? node : `${cluster}/${node ?? ''}`;
}
