// How one of the two states that `diff` compares is read, and how far two of them can be compared.

import { UsageError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import type { Asking } from '../../mesh/asking.ts';
import { type Collected, collectDumps } from '../../mesh/collect.ts';
import { listInventory } from '../../mesh/lists.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findScope } from '../../mesh/scope/scope.ts';
import { DEFAULT_WARN_WITHIN, joinCertificates } from '../../model/certificates/certificates.ts';
import type { Verification } from '../../model/certificates/verification.ts';
import { SECTIONS } from '../../model/dump.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Answer, Reference } from '../../model/types.ts';

export interface Side {
  /** As the user named it, or `the live mesh`. */
  readonly name: string;
  /** All of a mesh, live or as a snapshot; else what dumps somebody saved. */
  readonly isMesh: boolean;
  readonly reference: Reference;
  readonly collected: Collected;
  readonly certificates: readonly CertificateItem[];
  readonly verification: Verification;
  /** Those whose workloads, services and policies were read. */
  readonly whole: readonly Answer[];
  /** False if MISSING could not be looked for. */
  readonly knowsMissing: boolean;
  readonly redacted: boolean;
  readonly warnings: readonly string[];
  readonly clusterRole: string | undefined;
  readonly partial: boolean;
}

/** Reads all of it: whole dumps of all ztunnels, and the lists that certificates are joined with. */
export async function readSide(name: string, mesh: Mesh, asking: Asking): Promise<Side> {
  const { cluster } = mesh;
  const wanted = { sections: new Set(SECTIONS), keepRaw: false };
  const scope = await findScope(asking, mesh);
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, asking, mesh),
    listInventory(mesh, asking.namespace),
  ]);
  const reference = await mesh.reference();
  const { items, verification, missingNotEvaluated } = joinCertificates({
    ...collected,
    inventory,
    reference: reference.time,
    source: cluster.source,
    warnWithin: DEFAULT_WARN_WITHIN,
    evaluateMissing: true,
  });
  const whole = collected.answers.filter(({ dump }) => dump.sections.has('workloads'));
  // Where nothing was read, the error says all there is to say.
  const isUnsaid = missingNotEvaluated === undefined || collected.answers.length === 0;
  const warnings = [...inventory.warnings, ...(isUnsaid ? [] : [missingNotEvaluated])];
  return {
    name,
    isMesh: cluster.source === 'live',
    reference,
    collected,
    certificates: items,
    verification,
    whole,
    knowsMissing: missingNotEvaluated === undefined,
    redacted: cluster.redacted === true,
    warnings: [...warnings, ...cluster.warnings()].map((text) => `${name}: ${text}`),
    clusterRole: inventory.clusterRole,
    partial: inventory.partial || whole.length === 0,
  };
}

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

/** What file systems keep for themselves: a name that is made of others can't leave its directory. */
const RESERVED = /[\p{Cc}/\\:*?"<>|]/gu;

/** The context's name with `_` for each of / \ : * ? " < > | and control characters; an ending follows. */
export function fileNameOf(context: string): string {
  return context.replaceAll(RESERVED, '_');
}

/** Throws UsageError for contexts that would share a file, or have none in the directory. */
export function checkFileNames(contexts: readonly string[]): void {
  const known = new Map<string, string>();
  for (const context of contexts) {
    const name = fileNameOf(context);
    if (/^\.+$/.test(name)) {
      throw new UsageError(
        `the context "${context}" can't be the name of a file in a directory`,
        'Rename it with: kubectl config rename-context',
      );
    }
    const other = known.get(name);
    if (other !== undefined) {
      throw new UsageError(
        `"${other}" and "${context}" would have the same file ${name}.tar.gz`,
        'Compare one of them after the other.',
      );
    }
    known.set(name, context);
  }
}
