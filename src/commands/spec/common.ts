// The flags that every command has, and which of them exclude each other.

import { UsageError } from '../../base/errors.ts';
import type { Command } from './command.ts';
import { connectionFlags } from './connectionflags.ts';
import { defineFlags, type Flags, type OptionsOf } from './flags.ts';

export const commonFlags = defineFlags({
  output: { kind: 'string', short: 'o', value: 'FORMAT', summary: 'Output format', group: 'output' },
  'no-headers': { kind: 'boolean', summary: 'Leave the header line out of tables', group: 'output' },
  'sort-by': {
    kind: 'string',
    value: 'COLUMN[,COLUMN]',
    summary: 'Sort a table by these columns',
    group: 'output',
  },
  'no-color': { kind: 'boolean', summary: 'No colours, even on a terminal', group: 'output' },
  namespace: {
    kind: 'string',
    short: 'n',
    value: 'NAMESPACE',
    summary: 'Only workloads of this namespace; or where TARGET is',
    group: 'input',
  },
  'all-namespaces': {
    kind: 'boolean',
    short: 'A',
    summary: 'All namespaces (the default)',
    group: 'input',
  },
  file: {
    kind: 'strings',
    short: 'f',
    value: 'FILE',
    summary: 'Read a saved config dump (- is stdin; repeatable)',
    group: 'input',
  },
  resources: {
    kind: 'strings',
    value: 'FILE|DIR',
    summary: 'With -f: Kubernetes objects as JSON, YAML or protobuf (repeatable)',
    group: 'input',
  },
  now: { kind: 'time', value: 'TIME', summary: 'Judge as of this time (RFC 3339)', group: 'input' },
  'no-owners': { kind: 'boolean', summary: 'Ask the API only for ztunnels', group: 'input' },
  node: {
    kind: 'strings',
    value: 'NODE',
    summary: 'Only ztunnels on this node (repeatable)',
    group: 'ztunnel',
  },
  'ztunnel-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only ztunnels of this namespace',
    group: 'ztunnel',
  },
  'ztunnel-selector': {
    kind: 'string',
    value: 'SELECTOR',
    default: 'app=ztunnel',
    summary: 'Label selector of ztunnel pods',
    group: 'ztunnel',
  },
  'proxy-admin-port': {
    kind: 'integer',
    value: 'PORT',
    default: '15000',
    range: [1, 65535],
    summary: "ztunnel's admin port",
    group: 'ztunnel',
  },
  timeout: {
    kind: 'duration',
    value: 'DURATION',
    default: '15s',
    summary: 'Timeout per ztunnel',
    group: 'ztunnel',
  },
  concurrency: {
    kind: 'integer',
    value: 'N',
    default: '32',
    range: [1, 1000],
    summary: 'How many ztunnels are asked at once',
    group: 'ztunnel',
  },
  ...connectionFlags,
  v: {
    kind: 'integer',
    short: 'v',
    value: 'LEVEL',
    range: [0, 99],
    summary: 'With 1 or more, show the stack of an internal error',
    group: 'connection',
  },
});

/** The common flags that a command has: all, unless it says which. */
export function takenFlags({ takes }: { readonly takes?: readonly string[] } = {}): Flags {
  if (takes === undefined) return commonFlags;
  return Object.fromEntries(Object.entries(commonFlags).filter(([name]) => takes.includes(name)));
}

/** All flags of a command, its own after the common ones. */
export function flagsOf(command: Command | undefined): Flags {
  if (command !== undefined && 'text' in command) return command.flags ?? {};
  return { ...takenFlags(command), ...command?.flags };
}

/** For `takes`: all but these. */
export function takesAllBut(names: readonly (keyof typeof commonFlags)[]): readonly string[] {
  const left: ReadonlySet<string> = new Set(names);
  return Object.keys(commonFlags).filter((name) => !left.has(name));
}

export type CommonOptions = OptionsOf<typeof commonFlags> & {
  /** The words after the command's name, as many as its `arguments` allow. */
  readonly words: readonly string[];
};

/** JSON and YAML carry what ztunnel sent as it was sent. */
export function isDocument({ output }: { readonly output: string | undefined }): boolean {
  return output === 'json' || output === 'yaml';
}

/** The flags that say how a live mesh is reached, and so make no sense with saved dumps. */
const liveOnly = [
  ...Object.keys(connectionFlags),
  'node',
  'ztunnel-namespace',
  'proxy-admin-port',
  'timeout',
  'concurrency',
];

/** Pairs that exclude each other. Both names stand in the error. */
export const exclusive: readonly (readonly [string, string])[] = [
  ...['context', 'cluster', 'user', 'server', 'file', 'resources'].map((flag) => ['contexts', flag] as const),
  ['namespace', 'all-namespaces'],
  ['selector', 'no-owners'],
  ...liveOnly.map((flag) => ['file', flag] as const),
];

/** Formats whose order is fixed by what they imitate or are for. */
const unsorted = new Set(['short', 'name', 'pem']);

/** Throws UsageError when --sort-by can't apply to the output asked for. */
export function checkSortable(options: {
  readonly output: string | undefined;
  readonly sortBy: string | undefined;
}): void {
  if (options.sortBy !== undefined && unsorted.has(options.output ?? '')) {
    throw new UsageError(
      `--sort-by and --output ${options.output} exclude each other`,
      'Use -o table, wide, json or yaml to sort.',
    );
  }
}
