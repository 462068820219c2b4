// `workloads`: the mesh as ztunnel sees it, each workload with its owner and its certificate's status.

import { defineCommand } from '../spec/command.ts';
import type { CommonOptions } from '../spec/common.ts';
import { defineFlags, type OptionsOf } from '../spec/flags.ts';
import { checkNamespaces, deep, selector, TARGET, warnWithin } from '../spec/sharedflags.ts';

const flags = defineFlags({
  selector,
  deep,
  address: { kind: 'string', value: 'IP', summary: 'Only the workload with this address', group: 'command' },
  'workload-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only workloads of this namespace',
    group: 'command',
  },
  'workload-node': {
    kind: 'string',
    value: 'NODE',
    summary: 'Only workloads on this node',
    group: 'command',
  },
  'warn-within': warnWithin,
});

export type Options = OptionsOf<typeof flags> & CommonOptions;

export const workloads = defineCommand({
  name: 'workloads',
  load: () => import('./run.ts'),
  aliases: ['workload', 'wl', 'w'],
  summary: 'Workloads as ztunnel sees them, with owner and certificate',
  examples: [
    { args: 'workloads', does: 'every workload of the mesh' },
    { args: 'workloads -n shop -o wide', does: 'one namespace, all columns' },
    { args: 'workloads deployment/web', does: 'the pods of one Deployment' },
    { args: 'workloads --deep', does: 'what ztunnels disagree about' },
    { args: 'workloads --workload-node node-a', does: 'what runs on a node' },
    { args: 'workloads --address 10.1.0.11', does: 'who has this address' },
    { args: 'workloads -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  views: ['table', 'short', 'name', 'document'],
  check: checkOptions,
});

function checkOptions(options: Options): void {
  checkNamespaces(options.namespace, 'workload-namespace', options.workloadNamespace);
}
