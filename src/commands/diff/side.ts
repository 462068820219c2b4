// How one of two states of a mesh that are compared is read: a snapshot, a dump, or the live mesh.

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
