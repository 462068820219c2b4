// Which ztunnels are in scope, which of them are asked, and why the others are not.

import { UserError } from '../base/errors.ts';
import type { CommandContext } from '../commands/command.ts';
import type { CommonOptions } from '../commands/flags/common.ts';
import { compareText } from '../model/order.ts';
import type { Failure, Ztunnel } from '../model/types.ts';

export interface Scope {
  /** Running, terminating and pending. */
  readonly ztunnels: readonly Ztunnel[];
  /** Those worth a connection: Running, Ready or not, and terminating. */
  readonly asked: readonly Ztunnel[];
  /** Those that are not asked. */
  readonly failures: readonly Failure[];
  /** Where a whole dump is best read from: Ready before not Ready, then by node, then by name. */
  readonly wholeDumpOrder: readonly Ztunnel[];
}

/** Finds the ztunnels in scope. Throws UserError when there is none. */
export async function findScope(options: CommonOptions, context: CommandContext): Promise<Scope> {
  const found = await context.cluster.findZtunnels({
    selector: options.ztunnelSelector,
    namespace: options.ztunnelNamespace,
    signal: context.signal,
  });
  const ztunnels = found.filter((ztunnel) => inScope(ztunnel, options.node));
  if (ztunnels.length === 0) throw nothingFound(found, options, context);
  const pending = ztunnels.filter((ztunnel) => phaseOf(ztunnel) === 'Pending' && !isTerminating(ztunnel));
  const asked = ztunnels.filter((ztunnel) => !pending.includes(ztunnel));
  return {
    ztunnels,
    asked,
    failures: pending.map((ztunnel) => notRunning(ztunnel, asked)),
    wholeDumpOrder: [...asked].sort(byReadinessThenNode),
  };
}

function isReady(ztunnel: Ztunnel): boolean {
  if (ztunnel.pod === undefined) return true;
  return ztunnel.pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
}

function isTerminating(ztunnel: Ztunnel): boolean {
  return ztunnel.pod?.metadata.deletionTimestamp !== undefined;
}

/** A dump file counts as Running: it was, when it was taken. */
function phaseOf(ztunnel: Ztunnel): string {
  return ztunnel.pod === undefined ? 'Running' : (ztunnel.pod.status?.phase ?? 'Pending');
}

function inScope(ztunnel: Ztunnel, nodes: readonly string[]): boolean {
  const phase = phaseOf(ztunnel);
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return nodes.length === 0 || (ztunnel.node !== null && nodes.includes(ztunnel.node));
}

function nothingFound(
  found: readonly Ztunnel[],
  options: CommonOptions,
  { cluster }: CommandContext,
): UserError {
  const where =
    options.ztunnelNamespace === undefined ? 'any namespace' : `namespace ${options.ztunnelNamespace}`;
  if (found.length > 0 && options.node.length > 0) {
    const nodes = [...new Set(found.flatMap((ztunnel) => ztunnel.node ?? []))].sort();
    const shown = nodes.slice(0, 5).join(', ') + (nodes.length > 5 ? ', …' : '');
    return new UserError(
      `no ztunnel runs on node ${options.node.join(' or ')}`,
      `There are ztunnels on: ${shown}.`,
    );
  }
  if (cluster.server === undefined) {
    return new UserError(
      'no ztunnel is in what was saved',
      'Take the snapshot again where ztunnels run, or name another one.',
    );
  }
  return new UserError(
    `no ztunnel pod found in ${where} with label ${options.ztunnelSelector}`,
    'If Istio is installed in ambient mode here, name its pods with --ztunnel-selector or --ztunnel-namespace; else choose another --context.',
  );
}

/** Pending: a failure without a connection, but only a warning while another ztunnel serves its node. */
function notRunning(ztunnel: Ztunnel, asked: readonly Ztunnel[]): Failure {
  const replaced = asked.some(
    (other) => other.node !== null && other.node === ztunnel.node && !isTerminating(other),
  );
  const { namespace, name } = ztunnel;
  return {
    ztunnel: { namespace, name, node: ztunnel.node },
    severity: replaced ? 'warning' : 'error',
    message: 'the pod is Pending, so it was not asked',
    hint: replaced
      ? 'Another ztunnel of that node was asked.'
      : `See why with: kubectl describe pod ${name} -n ${namespace}`,
  };
}

function byReadinessThenNode(a: Ztunnel, b: Ztunnel): number {
  const ready = Number(isReady(b)) - Number(isReady(a));
  const terminating = Number(isTerminating(a)) - Number(isTerminating(b));
  return ready || terminating || compareText(a.node ?? '', b.node ?? '') || compareText(a.name, b.name);
}
