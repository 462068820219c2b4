// `check`: what is wrong with the mesh, worst first, with what to do, and an exit code for monitors.

import { UsageError } from '../../base/errors.ts';
import { ALL_CODES, ONLY_ACROSS } from '../../model/findings/codes.ts';
import type { Report } from '../../printers/printer.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import {
  checkContexts,
  checkWatch,
  contextsFlags,
  outputFileFlags,
  selector,
  TARGET,
  warnWithin,
  watchFlags,
} from '../spec/sharedflags.ts';

const flags = defineFlags({
  selector,
  only: {
    kind: 'strings',
    value: 'CODE',
    choices: ALL_CODES,
    summary: 'Look only for these findings (repeatable)',
    group: 'command',
  },
  ignore: {
    kind: 'strings',
    value: 'CODE',
    choices: ALL_CODES,
    summary: 'Leave these findings out (repeatable)',
    group: 'command',
  },
  'min-severity': {
    kind: 'string',
    value: 'SEVERITY',
    choices: ['critical', 'warning', 'information'],
    default: 'information',
    summary: 'Leave out what is less than this',
    group: 'command',
  },
  'warn-within': warnWithin,
  deep: {
    kind: 'boolean',
    summary: 'Compare the whole dumps of all ztunnels',
    group: 'command',
  },
  'allow-partial': {
    kind: 'boolean',
    summary: 'A ztunnel that fails is a warning (1, not 3)',
    group: 'command',
  },
  ...outputFileFlags,
  ...contextsFlags,
  ...watchFlags,
});

export type CheckOptions = OptionsOf<typeof flags> & CommonOptions;

export const check = defineCommand({
  name: 'check',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'What is wrong, worst first, and what to do about it',
  examples: [
    { args: 'check', does: 'every finding, worst first' },
    { args: 'check deployment/web', does: 'what concerns one Deployment' },
    { args: 'check -o wide', does: 'each object that is concerned' },
    { args: 'check --min-severity critical', does: 'only what is broken now' },
    { args: 'check --contexts east,west', does: 'several, and between them' },
    { args: 'check --ignore ORPHAN,VERSIONS-DIFFER', does: 'without what is known' },
    { args: 'check -o prometheus --output-file ztunnel.prom', does: 'for the node exporter' },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'document', 'page', 'metrics', 'tests'],
  check: checkOptions,
  exitCode,
  usageExitCode: 3,
  errorExitCode: 3,
});

function checkOptions(options: CheckOptions): void {
  checkWatch(options);
  checkContexts(options);
  const across = new Set<string>(ONLY_ACROSS);
  const lonely = options.contexts.length === 0 && options.only.find((code) => across.has(code));
  if (lonely) {
    throw new UsageError(
      `--only ${lonely} needs --contexts: it is about several clusters`,
      'Add --contexts with the names of two or more.',
    );
  }
  const both = options.only.find((code) => options.ignore.includes(code));
  if (both === undefined) return;
  throw new UsageError(`--only ${both} and --ignore ${both} exclude each other`, 'Leave one of them out.');
}

/** As monitors have it: 2 critical, 3 not known whether all is well, 1 warning, 0 well. */
export function exitCode({ worst, failures, partial }: Report): number {
  if (worst === 'critical') return 2;
  if (partial === true || failures.some(({ severity }) => severity === 'error')) return 3;
  return worst === 'warning' ? 1 : 0;
}
