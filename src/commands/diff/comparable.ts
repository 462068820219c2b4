// How far two states of a mesh can be compared: of which nodes both know the certificates.

import { compareText } from '../../model/order.ts';
import type { Side } from './side.ts';

export interface Comparable {
  /** False if nothing at all was read of one of them: all of the other would seem to have come or gone. */
  readonly any: boolean;
  /** Whether both know all certificates of this node. */
  readonly isKnown: (node: string | null) => boolean;
  /** What is not compared though nothing failed, in one sentence if anything is. */
  readonly warnings: readonly string[];
}

/** What a ztunnel that did not answer holds has not gone, nor what is on a node that one side is not about. */
export function compareKnowledge(before: Side, after: Side): Comparable {
  const failed = new Set([...failedNodes(before), ...failedNodes(after)]);
  const any = hasAnswer(before) && hasAnswer(after);
  // The mesh is known to its last node: one that is no more was taken away. Dumps are those that somebody saved.
  const onlyDumps = [before, after].some(({ isMesh }) => !isMesh);
  const lone = any && onlyDumps ? [onlyIn(before, after), onlyIn(after, before)] : [];
  const left = new Set<string | null>(lone.flatMap(({ nodes }) => nodes));
  const told = lone.filter(({ nodes }) => nodes.length > 0);
  return {
    any,
    isKnown: (node) => any && !failed.has(node) && !left.has(node),
    warnings:
      told.length === 0 ? [] : [`certificates are not compared of ${told.map(describe).join(' and ')}`],
  };
}

function hasAnswer({ collected }: Side): boolean {
  return collected.answers.length > 0;
}

function failedNodes({ collected }: Side): readonly (string | null)[] {
  return collected.failures.filter(({ severity }) => severity === 'error').map(({ ztunnel }) => ztunnel.node);
}

interface Lone {
  readonly side: Side;
  readonly nodes: readonly (string | null)[];
}

/** The nodes that the other side holds nothing of. A dump may say of no node that it is from there. */
function onlyIn(side: Side, other: Side): Lone {
  const nodesOf = ({ collected }: Side) => new Set(collected.answers.map(({ ztunnel }) => ztunnel.node));
  const others = nodesOf(other);
  const nodes = [...nodesOf(side)].filter((node) => !others.has(node));
  return { side, nodes: nodes.toSorted((a, b) => compareText(a ?? '', b ?? '')) };
}

const MOST_NAMED = 5;

function describe({ side, nodes }: Lone): string {
  const names = nodes
    .slice(0, MOST_NAMED)
    .map((node) => (node === null ? 'an unnamed node' : `node ${node}`));
  const more = nodes.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} (only in ${side.name})`;
}
