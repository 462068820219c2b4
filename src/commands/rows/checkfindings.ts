// What one look of `check` has found, for whatever form it is shown in.

import type { CheckResult, FindingFilter } from '../../model/check.ts';
import type { CertificateItem } from '../../model/types.ts';
import type { Report } from '../../printers/printer.ts';
import type { Mesh } from '../ask/mesh.ts';

export interface CheckFindings {
  readonly result: CheckResult;
  readonly mesh: Mesh;
  /** Those that were asked about, of TARGET and namespace; what is MISSING is among them. */
  readonly certificates: readonly CertificateItem[];
  readonly filter: FindingFilter;
  /** Failures of ztunnels are findings instead. */
  readonly allowPartial: boolean;
  /** What the process will exit with, for formats that outlive it. */
  readonly exitCode: (report: Report) => number;
}
