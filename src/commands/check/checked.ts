// What one look of `check` has found, for whatever form it is shown in.

import type { Part } from '../../mesh/clusters.ts';
import type { CheckResult, FindingFilter } from '../../model/findings/check.ts';
import type { CertificateItem } from '../../model/items.ts';
import type { ClusterFailure, Reference } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { ClusterState } from '../reports/clusters.ts';
import type { CollectedMesh } from './collect.ts';

/** What was looked at in one cluster. */
export interface CheckedMesh {
  readonly mesh: CollectedMesh;
  readonly result: CheckResult;
  /** Those that were asked about, of TARGET and namespace; what is MISSING is among them. */
  readonly certificates: readonly CertificateItem[];
  readonly filter: FindingFilter;
}

export interface CheckFindings {
  /** Of all clusters together. */
  readonly result: CheckResult;
  readonly parts: readonly Part<CheckedMesh>[];
  /** undefined where only one is asked. */
  readonly clusters: readonly ClusterState[] | undefined;
  /** Clusters that could not be asked. */
  readonly failures: readonly ClusterFailure[];
  /** What concerns clusters as a whole. */
  readonly warnings: readonly string[];
  /** Of several clusters, the latest. */
  readonly reference: Reference;
  /** True if the user chose some findings only. */
  readonly chosen: boolean;
  /** Failures of ztunnels are findings instead. */
  readonly allowPartial: boolean;
  /** What the process will exit with, for formats that outlive it. */
  readonly exitCode: (report: Report) => number;
}
