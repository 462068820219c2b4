// Which ztunnels TARGET and --selector need: those of its nodes, and no others.

import { UserError } from '../../base/errors.ts';
import { compareText } from '../../model/order.ts';
import type { FoundTarget } from '../../model/targets/findtarget.ts';
import { formatTarget, type Target } from '../../model/targets/target.ts';
import type { TargetPod } from '../../model/targets/targetworld.ts';
import type { Ztunnel } from '../../model/types.ts';
import { keyOfZtunnel } from '../../model/ztunnels/ztunnels.ts';
import type { Known } from './known.ts';

/** Throws UserError when none of them serves TARGET. A selector that leaves nothing is no error. */
export function neededZtunnels(
  target: Target | undefined,
  found: FoundTarget | undefined,
  selected: readonly TargetPod[] | undefined,
  { ztunnels }: Known,
): readonly Ztunnel[] {
  const nodes = nodesOf(found);
  const ofTarget = ztunnels.filter(({ asked, named }) => {
    if (found?.what === 'ztunnels') return found.keys.has(keyOfZtunnel(named));
    // A dump that can't be read may be of any node.
    return nodes === undefined || (named.node === null ? asked.pod === undefined : nodes.has(named.node));
  });
  if (ofTarget.length === 0 && nodes !== undefined) throw unserved(target!, nodes, namespaceOf(found));
  const labelled = selected && new Set(selected.map(({ node }) => node));
  const narrowed = ofTarget.filter(({ named }) => named.node === null || labelled?.has(named.node) !== false);
  return (narrowed.length === 0 ? ofTarget : narrowed).map(({ asked }) => asked);
}

/** undefined for any node. */
function nodesOf(found: FoundTarget | undefined): ReadonlySet<string> | undefined {
  if (found?.what === 'node') return new Set([found.node]);
  if (found?.what !== 'pods' && (found?.what !== 'identity' || found.pods.length === 0)) return undefined;
  return new Set(found.pods.flatMap(({ node }) => node ?? []));
}

function namespaceOf(found: FoundTarget | undefined): string {
  return found !== undefined && 'pods' in found ? (found.pods[0]?.namespace ?? '') : '';
}

function unserved({ type, name }: Target, nodes: ReadonlySet<string>, namespace: string): UserError {
  const shown = formatTarget(type, name);
  if (nodes.size === 0) {
    return new UserError(
      `no pod of ${shown} is on a node yet`,
      `See why with: kubectl describe pods -n ${namespace}`,
    );
  }
  const sorted = [...nodes].sort(compareText);
  const named = sorted.slice(0, 3).join(', ') + (sorted.length > 3 ? ', …' : '');
  return type === 'node'
    ? new UserError(
        `no ztunnel is known on node ${name}`,
        'kubectl ztunnel ztunnels lists those that there are.',
      )
    : new UserError(
        `no ztunnel is known on ${named}, where ${shown} runs`,
        'Live, ztunnel may not run there; from files, add the config dump of that node with -f.',
      );
}
