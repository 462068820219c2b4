// `trust`: which certificates can verify each other, in general or of two ends of a connection.

import type { Report } from '../../printers/printer.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkContexts, contextsFlags } from '../spec/sharedflags.ts';

const flags = defineFlags({ ...contextsFlags });

export type Options = OptionsOf<typeof flags> & CommonOptions;

export const trust = defineCommand({
  name: 'trust',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Which certificates can verify each other, and why others can not',
  examples: [
    { args: 'trust', does: 'groups of certificates, and pairs that fail' },
    { args: 'trust deployment/web', does: 'whom one Deployment can verify' },
    { args: 'trust deployment/web.shop statefulset/cart.shop', does: 'step by step, from web to cart' },
    { args: 'trust --contexts east,west', does: 'over several clusters' },
    { args: 'trust -f a.json -f b.json', does: 'of saved config dumps' },
    { args: 'trust -o html > trust.html', does: 'as a matrix, for a browser' },
  ],
  arguments: { usage: '[SRC [DST]]', least: 0, most: 2, completes: 'target' },
  flags,
  views: ['table', 'short', 'document', 'page'],
  check: checkContexts,
  exitCode,
  usageExitCode: 2,
  errorExitCode: 2,
});

/** 0 all works, 1 something fails, 2 can't be told. */
export function exitCode({ failed, failures, partial }: Report): number {
  if (failed === true) return 1;
  return partial === true || failures.some(({ severity }) => severity === 'error') ? 2 : 0;
}
