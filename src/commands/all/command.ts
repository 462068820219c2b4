// `all`: everything that ztunnels hold, section by section, or their config dumps as they were sent.

import { UsageError } from '../../base/errors.ts';
import { defineCommand } from '../spec/command.ts';
import { type CommonOptions, isDocument, takesAllBut } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { TARGET, warnWithin } from '../spec/sharedflags.ts';

const flags = defineFlags({
  'with-headers': { kind: 'boolean', summary: 'Print a heading above each section', group: 'command' },
  'warn-within': warnWithin,
});

export type Options = OptionsOf<typeof flags> & CommonOptions;

export const all = defineCommand({
  name: 'all',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Everything that ztunnels hold; -o json prints whole dumps',
  examples: [
    { args: 'all --with-headers', does: 'every section, each below its heading' },
    { args: 'all -n shop', does: 'what concerns one namespace' },
    { args: 'all deployment/web', does: 'what concerns one Deployment' },
    { args: 'all --node node-a -o json > dump.json', does: 'save the dump of one ztunnel; -f reads it' },
    { args: 'all -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  // It prints several tables, and that is for one.
  takes: takesAllBut(['sort-by']),
  views: ['table', 'short', 'dumps'],
  check: checkOptions,
});

function checkOptions(options: Options): void {
  if (isDocument(options) && options.namespace !== undefined && options.words.length === 0) {
    throw new UsageError(
      `--namespace and --output ${options.output} exclude each other: dumps are printed as they were sent`,
      'Use certs, workloads, services, policies or connections for one namespace.',
    );
  }
}
