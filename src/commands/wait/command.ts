// `wait`: until the pods of TARGET have a usable certificate on their nodes.

import { CONDITION_VALUE, parseCondition } from '../../model/certificates/condition.ts';
import { parseTarget } from '../../model/targets/target.ts';
import { defineCommand } from '../spec/command.ts';
import { type CommonOptions, takesAllBut } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';

const flags = defineFlags({
  for: {
    kind: 'string',
    value: 'CONDITION',
    default: 'ready',
    summary: CONDITION_VALUE,
    group: 'command',
  },
  timeout: {
    kind: 'bound',
    value: 'DURATION',
    default: '60s',
    summary: 'Timeout of the whole wait; 0 checks once',
    group: 'command',
  },
  interval: {
    kind: 'duration',
    value: 'DURATION',
    default: '2s',
    summary: 'Refresh interval',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;

/** What is read again and again is a live mesh, judged at its own time. */
const NOT_TAKEN = [
  'no-headers',
  'sort-by',
  'file',
  'resources',
  'now',
  'no-owners',
  'node',
  'timeout',
] as const;

export const wait = defineCommand({
  name: 'wait',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Wait until the pods of TARGET have valid certificates',
  examples: [
    { args: 'wait deployment/web.shop', does: 'before a rollout goes on' },
    { args: 'wait pod/web-0 -n shop --timeout 5m', does: 'in an init container' },
    { args: 'wait deploy/web sts/cart --for=renewed', does: 'until both have new certificates' },
    { args: 'wait node/node-a --for=trusts=3f8a01c2d4e5', does: 'until a node trusts a root' },
    { args: 'wait node/node-a --for=root=3f8a01c2d4e5', does: 'until it presents it' },
  ],
  arguments: { usage: 'TARGET…', least: 1, most: 1_000, completes: 'target' },
  flags,
  takes: takesAllBut(NOT_TAKEN),
  views: ['events'],
  check: (options) => {
    parseCondition(options.for, 'for');
    for (const word of options.words) parseTarget(word);
  },
});
