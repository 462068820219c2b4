// `decode`: Kubernetes objects in protobuf, from wherever they were saved, as YAML or JSON.

import { UsageError } from '../../base/errors.ts';
import type { Encoding } from '../../decode/complete/encodings.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';

export const STDIN = '-';
const ENCODINGS = ['raw', 'base64', 'hex'] as const satisfies readonly Encoding[];

const flags = defineFlags({
  type: {
    kind: 'string',
    value: 'APIVERSION.KIND',
    summary: 'The bytes are a message of this type, without its envelope',
    group: 'command',
  },
  encoding: {
    kind: 'string',
    value: 'ENCODING',
    choices: ENCODINGS,
    summary: `${ENCODINGS.join('|')}; recognised if left out`,
    group: 'command',
  },
  partial: {
    kind: 'boolean',
    summary: 'Exit 0 although fields or keys of etcd are left out',
    group: 'command',
  },
  'list-kinds': {
    kind: 'boolean',
    summary: 'Show which kinds are read to their last field',
    group: 'command',
  },
});
export type Options = OptionsOf<typeof flags> & CommonOptions;
type Type = { readonly apiVersion: string; readonly kind: string };

export const decode = defineCommand({
  name: 'decode',
  load: () => import('./run.ts'),
  aliases: [],
  summary: 'Kubernetes protobuf, of the API server or etcd, as YAML or JSON',
  examples: [
    { args: 'decode lease.pb', does: 'what the API server sent, as kubectl get -o yaml' },
    { args: 'decode etcd.json -o json', does: 'all of etcdctl get --prefix /registry/leases -w json' },
    {
      args: 'decode --type coordination.k8s.io/v1.Lease message.bin',
      does: 'a message without its envelope',
    },
    { args: 'decode node.pb --partial', does: 'the metadata of a kind that is not known' },
  ],
  arguments: { usage: '[FILE…|-]', least: 0, most: 10_000, completes: 'files' },
  flags,
  takes: ['output', 'v'],
  views: ['objects'],
  defaultFormat: 'yaml',
  check: ({ type, words, listKinds }) => {
    if (type !== undefined) parseType(type);
    if (words.filter((word) => word === STDIN).length > 1) {
      throw new UsageError('standard input can be read only once', 'Give - once, and the others as files.');
    }
    if (listKinds && words.length > 0) {
      throw new UsageError('--list-kinds and FILE exclude each other', 'Leave one of them out.');
    }
  },
});

/** `coordination.k8s.io/v1.Lease`, `v1.Status`. */
export function parseType(text: string): Type {
  const match = /^((?:[a-z0-9.-]+\/)?v[a-z0-9]+)\.([A-Za-z][A-Za-z0-9]*)$/.exec(text);
  if (match !== null) return { apiVersion: match[1]!, kind: match[2]! };
  throw new UsageError(
    `--type needs apiVersion and kind, not "${text}"`,
    'Write it like --type coordination.k8s.io/v1.Lease.',
  );
}
