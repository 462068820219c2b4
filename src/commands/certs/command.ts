// `certs`: which certificates every ztunnel holds, judged, with node and owner.

import { UsageError } from '../../base/errors.ts';
import { GROUPINGS } from '../../model/certificates/group.ts';
import { STATUSES } from '../../model/items.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import {
  checkContexts,
  checkWatch,
  contextsFlags,
  deep,
  selector,
  TARGET,
  warnWithin,
  watchFlags,
} from '../spec/sharedflags.ts';

const flags = defineFlags({
  selector,
  status: {
    kind: 'strings',
    value: 'STATUS',
    choices: STATUSES,
    summary: 'Only these statuses (repeatable)',
    group: 'command',
  },
  problems: { kind: 'boolean', summary: 'Only what is critical or a warning', group: 'command' },
  'group-by': {
    kind: 'string',
    value: 'KEY',
    choices: GROUPINGS,
    summary: `Count by ${GROUPINGS.join(', ')}`,
    group: 'command',
  },
  'warn-within': warnWithin,
  deep: { ...deep, summary: 'Read each config dump to its end (slower)' },
  'fail-on': {
    kind: 'string',
    value: 'SEVERITY',
    choices: ['critical', 'warning'],
    summary: 'Exit 1 at this severity or worse',
    group: 'command',
  },
  ...contextsFlags,
  ...watchFlags,
});
export type CertsOptions = OptionsOf<typeof flags> & CommonOptions;

export const certs = defineCommand({
  name: 'certs',
  load: () => import('./run.ts'),
  aliases: ['certificates', 'certificate', 'cert'],
  summary: 'Certificates of all ztunnels, judged, with node and owner',
  examples: [
    { args: 'certs', does: 'every certificate, worst first' },
    { args: 'certs --problems', does: 'only problems' },
    { args: 'certs -n shop -o wide', does: 'one namespace, all columns' },
    { args: 'certs deployment/web.shop', does: 'what one Deployment needs' },
    { args: 'certs --group-by root', does: 'how far a root rotation is' },
    { args: 'certs -w --group-by root', does: 'follow a rotation to its end' },
    { args: 'certs --contexts east,west', does: 'several clusters in one table' },
    { args: 'certs -f dump.json', does: 'judge a saved config dump' },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'short', 'name', 'pem', 'document', 'page'],
  check: checkOptions,
});

/** The formats that show what ztunnel says and nothing that needs joining. */
export const plainFormats = new Set<string | undefined>(['short', 'name', 'pem']);

function checkOptions(options: CertsOptions): void {
  checkWatch(options);
  checkContexts(options);
  if (options.groupBy === undefined) return;
  if (options.groupBy === 'cluster' && options.contexts.length === 0) {
    throw new UsageError(
      '--group-by cluster needs --contexts: only one cluster is asked',
      'Add --contexts, or choose another --group-by.',
    );
  }
  if (plainFormats.has(options.output)) {
    throw new UsageError(
      `--group-by and --output ${options.output} exclude each other`,
      'Use -o table, wide, json or yaml with --group-by.',
    );
  }
  if (options.sortBy !== undefined) {
    throw new UsageError('--group-by and --sort-by exclude each other', 'Leave one of them out.');
  }
}
