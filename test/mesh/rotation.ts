// A mesh in the steps of a root rotation: which root each certificate presents, and which roots it trusts.

import { authoritiesAt } from './authorities.ts';
import { entryBy, withEntries } from './edit.ts';
import { type Scenario, scenario } from './scenario.ts';
import { deployment, statefulSet } from './workloads.ts';

export const AT = '2026-11-29T22:03:42Z';
export const NODES = ['node-a', 'node-b', 'node-c'];

const DAY = 86_400;

/** What one certificate has: which root signs, which are trusted, and how many seconds ago it was issued. */
interface Held {
  readonly signs: 'old' | 'new';
  readonly trusts: readonly ('old' | 'new')[];
  readonly age: number;
}

const OLD: Held = { signs: 'old', trusts: ['old'], age: 30_000 };
const BOTH: Held = { signs: 'old', trusts: ['old', 'new'], age: 2_000 };
const SIGNED: Held = { signs: 'new', trusts: ['old', 'new'], age: 900 };
const DONE: Held = { signs: 'new', trusts: ['new'], age: 600 };

/** Nodes in order, each with what its certificates have. */
const STEPS: Readonly<Record<string, readonly [Held, Held, Held]>> = {
  before: [OLD, OLD, OLD],
  /** The new root is in the bundle, and not all certificates have been renewed. */
  bundled: [BOTH, BOTH, OLD],
  trusted: [BOTH, BOTH, BOTH],
  /** The CA signs with the new root too early. */
  hasty: [{ ...SIGNED, age: 300 }, BOTH, OLD],
  signing: [SIGNED, BOTH, BOTH],
  signed: [SIGNED, SIGNED, SIGNED],
  dropped: [DONE, DONE, DONE],
};

export type RotationStep = 'before' | 'bundled' | 'trusted' | 'hasty' | 'signing' | 'signed' | 'dropped';

/** The mesh at a step. Keys are made anew in each process. */
export async function rotationAt(step: RotationStep): Promise<Scenario> {
  const base = await scenario({
    at: AT,
    nodes: NODES,
    workloads: [
      deployment('shop/web', { on: NODES }),
      deployment('shop/api', { on: ['node-a', 'node-c'] }),
      statefulSet('data/db', { on: ['node-b'] }),
    ],
  });
  let mesh = base;
  for (const [index, node] of NODES.entries()) {
    const held = STEPS[step]![index]!;
    mesh = await withEntries(mesh, node, (identity) => entryOf(identity, held));
  }
  return mesh;
}

async function entryOf(identity: string, { signs, trusts, age }: Held) {
  const { root, intermediate, nextRoot, nextIntermediate } = await authoritiesAt(AT);
  return entryBy(identity, AT, {
    issuer: signs === 'new' ? nextIntermediate : intermediate,
    roots: trusts.map((which) => (which === 'new' ? nextRoot : root)),
    from: -age,
    to: DAY - age,
  });
}
