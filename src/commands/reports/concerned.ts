// How what a finding concerns is named in a cell or a line.

import type { Concerned } from '../../model/findings/finding.ts';

/** `shop/web on node-a in east`. */
export function displayObject(object: Concerned): string {
  const { cluster, kind, node } = object;
  const place = [
    node === null || kind === 'Node' ? '' : ` on ${node}`,
    cluster === undefined || kind === 'Cluster' ? '' : ` in ${cluster}`,
  ];
  return `${displayName(object)}${place.join('')}`;
}

export function displayName({ namespace, name }: Concerned): string {
  return namespace === null ? name : `${namespace}/${name}`;
}
