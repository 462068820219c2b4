// `snapshot`: all that any command reads of a mesh, saved to be read again with -f.

import { UsageError } from '../../base/errors.ts';
import { defineCommand } from '../spec/command.ts';
import { type CommonOptions, takesAllBut } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';

const flags = defineFlags({
  redact: {
    kind: 'boolean',
    summary: 'Replace all names, and leave out certificates and texts',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

/** It saves all objects; another snapshot has its own. */
const NOT_TAKEN = ['resources', 'no-owners'] as const;

export const snapshot = defineCommand({
  name: 'snapshot',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Save all dumps with their Kubernetes objects, for -f',
  examples: [
    { args: 'snapshot before.tar.gz', does: 'one file, for later or for somebody else' },
    { args: 'snapshot before/', does: 'a directory' },
    { args: 'certs -f before.tar.gz', does: 'what certs said then' },
    { args: 'snapshot a.tar.gz --node node-a', does: 'the ztunnels of one node' },
    { args: 'snapshot b.tar.gz -f a.tar.gz --redact', does: 'one to send to strangers' },
  ],
  arguments: { usage: 'DIR|FILE.tar.gz', least: 1, most: 1, completes: 'files' },
  flags,
  takes: takesAllBut(NOT_TAKEN),
  views: ['table'],
  check: ({ words }) => checkName(words[0]!),
});

/** Names of files that would become folders of that name. */
const OTHER_FILES = /\.(?:zip|tar|gz|bz2|xz|7z|json|ya?ml|txt)$/i;

function checkName(target: string): void {
  if (/\.tar\.gz$/i.test(target) || !OTHER_FILES.test(target)) return;
  throw new UsageError(
    `a snapshot is a folder or a .tar.gz, not ${target}`,
    'Name it like before.tar.gz, or without an ending for a folder.',
  );
}
