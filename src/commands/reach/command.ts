// `reach`: whether a connection comes about, step by step with the fact that decides, or who reaches what.

import { UsageError } from '../../base/errors.ts';
import type { Report } from '../../printers/printer.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';

const flags = defineFlags({
  to: {
    kind: 'string',
    value: 'DST[:PORT]',
    summary: 'Who reaches it: every workload, or those of -n',
    group: 'command',
  },
  problems: { kind: 'boolean', summary: 'Only what is not reached', group: 'command' },
});

export type Options = OptionsOf<typeof flags> & CommonOptions;

export const reach = defineCommand({
  name: 'reach',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Can one reach another, and if not, which step refuses it',
  examples: [
    { args: 'reach deploy/web.shop service/cart.shop:80', does: 'step by step' },
    { args: 'reach deploy/web.shop cart.shop.svc.cluster.local', does: 'each port of a service' },
    { args: 'reach deploy/web.shop 10.1.0.11:8080', does: 'an address' },
    { args: 'reach deploy/web.shop -A --problems', does: 'which services it can not reach' },
    { args: 'reach --to service/cart.shop -o wide', does: 'who reaches it, as a matrix' },
    { args: 'reach node/node-b cart-0.shop:8080', does: 'probes of a kubelet' },
    {
      args: 'reach sa/web.shop cart-0.shop:8080 -f a.json -f b.json',
      does: 'from saved dumps of both nodes',
    },
  ],
  arguments: { usage: '[SRC [DST[:PORT]]]', least: 0, most: 2, completes: 'target' },
  flags,
  views: ['table', 'short', 'document'],
  check: checkOptions,
  exitCode,
  usageExitCode: 2,
  errorExitCode: 2,
});

function checkOptions({ words, to }: Options): void {
  if (words.length === 0 && to === undefined) {
    throw new UsageError(
      'reach needs a source, a destination, or both',
      'Write kubectl ztunnel reach SRC DST, reach SRC, or reach --to DST.',
    );
  }
  if (words.length === 2 && to !== undefined) {
    throw new UsageError('--to and a second word are both the destination', 'Leave one of them out.');
  }
}

/** 0 all is reached, 1 something is not, 2 it can't be told. */
function exitCode({ worst, failures, partial }: Report): number {
  if (worst === 'critical') return 1;
  return worst === 'ok' && partial !== true && failures.every(({ severity }) => severity !== 'error') ? 0 : 2;
}
