// How the file that holds what was saved of a context is called, where a directory has one for each.

import { UsageError } from '../../base/errors.ts';

/** What file systems keep for themselves: a name that is made of others can't leave its directory. */
const RESERVED = /[\p{Cc}/\\:*?"<>|]/gu;

/** The context's name with `_` for each of / \ : * ? " < > | and control characters; an ending follows. */
export function fileNameOf(context: string): string {
  return context.replaceAll(RESERVED, '_');
}

/** Throws UsageError for contexts that would share a file, or have none in the directory. */
export function checkFileNames(contexts: readonly string[]): void {
  const known = new Map<string, string>();
  for (const context of contexts) {
    const name = fileNameOf(context);
    if (/^\.+$/.test(name)) {
      throw new UsageError(
        `the context "${context}" can't be the name of a file in a directory`,
        'Rename it with: kubectl config rename-context',
      );
    }
    const other = known.get(name);
    if (other !== undefined) {
      throw new UsageError(
        `"${other}" and "${context}" would have the same file ${name}.tar.gz`,
        'Compare one of them after the other.',
      );
    }
    known.set(name, context);
  }
}
