// The flag that asks several clusters at once, by the contexts of the kubeconfig.

import { UsageError } from '../../base/errors.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';

/** Give it to commands whose `run` asks by ask/contexts.ts, and let their `check` begin with `checkContexts`. */
export const contextsFlags = defineFlags({
  contexts: {
    kind: 'strings',
    separated: true,
    value: 'NAME[,NAME]',
    summary: 'One answer over the clusters of these contexts',
    group: 'command',
  },
});
/** `contexts` is empty for the one cluster that the connection flags mean. */
export type ContextsOptions = OptionsOf<typeof contextsFlags> & CommonOptions;

/** Throws UsageError for a context without a name, and for one that is named twice. */
export function checkContexts({ contexts }: ContextsOptions): void {
  if (contexts.includes('')) {
    throw new UsageError(
      '--contexts holds an empty name',
      'Separate the names by single commas: --contexts east,west.',
    );
  }
  const twice = contexts.find((name, at) => contexts.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new UsageError(`--contexts names "${twice}" twice`, 'Each cluster is asked once: name each once.');
  }
}
