// How -n and istioctl's own namespace filters go together.

import { UsageError } from '../../base/errors.ts';

/** Throws UsageError when a command's own filter (`workload-namespace`) and -n name different namespaces. */
export function checkNamespaces(
  namespace: string | undefined,
  flag: string,
  value: string | undefined,
): void {
  if (namespace === undefined || value === undefined || namespace === value) return;
  throw new UsageError(
    `--namespace ${namespace} and --${flag} ${value} exclude each other`,
    'Leave one of them out.',
  );
}

/** A test of namespaces, without case as istioctl compares; passes all if there is no filter. */
export function namespaceFilter(...filters: readonly (string | undefined)[]): (namespace: string) => boolean {
  const wanted = filters.find((filter) => filter !== undefined)?.toLowerCase();
  return (namespace) => wanted === undefined || namespace.toLowerCase() === wanted;
}
