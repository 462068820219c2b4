// How one of two states of a mesh that are compared is read: a snapshot, a dump, or the live mesh.

import { type Collected, collectDumps } from '../../mesh/collect.ts';
import { listInventory } from '../../mesh/inventory.ts';
import { settleReference } from '../../mesh/reference.ts';
import { DEFAULT_WARN_WITHIN, joinCertificates } from '../../model/certificates/certificates.ts';
import { SECTIONS } from '../../model/dump.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { Answer, Reference } from '../../model/types.ts';
import type { Cluster } from '../../sources/cluster.ts';
import type { CommandContext } from '../command.ts';
import type { CommonOptions } from '../flags/common.ts';

export interface Side {
  /** As the user named it, or `the live mesh`. */
  readonly name: string;
  /** All of a mesh, live or as a snapshot; else what dumps somebody saved. */
  readonly isMesh: boolean;
  readonly reference: Reference;
  readonly collected: Collected;
  readonly certificates: readonly CertificateItem[];
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
export async function readSide(
  name: string,
  cluster: Cluster,
  options: CommonOptions,
  outer: CommandContext,
): Promise<Side> {
  const context = { ...outer, cluster };
  const [collected, inventory] = await Promise.all([
    collectDumps({ sections: new Set(SECTIONS), keepRaw: false }, options, context),
    listInventory(context, options.namespace),
  ]);
  const reference = await settleReference(options.now, context);
  const { items, missingNotEvaluated } = joinCertificates({
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
    whole,
    knowsMissing: missingNotEvaluated === undefined,
    redacted: cluster.redacted === true,
    warnings: [...warnings, ...cluster.warnings()].map((text) => `${name}: ${text}`),
    clusterRole: inventory.clusterRole,
    partial: inventory.partial || whole.length === 0,
  };
}
