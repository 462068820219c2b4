// How the table of findings is applied to a mesh, and what is left of it after the user's filters.

import { FINDING_CODES, type FindingCode } from './findings/codes.ts';
import type { Concerned, ConcernedKind, FindingRule, FindingSeverity } from './findings/finding.ts';
import type { Situation } from './findings/situation.ts';
import { FINDINGS } from './findings.ts';
import { compareSeverity } from './order.ts';
import type { Answer } from './types.ts';

/** One finding with all the objects that it concerns: a row of `check`. */
export interface Finding extends Pick<FindingRule, 'severity' | 'title' | 'meaning' | 'remedy'> {
  readonly code: FindingCode;
  readonly particulars: string | null;
  /** At least one. */
  readonly objects: readonly Concerned[];
  /** How many distinct owners and pods it hits; null where that is not known. */
  readonly hits: { readonly workloads: number; readonly pods: number } | null;
}

/** What the user wants to hear of. */
export interface FindingFilter {
  readonly only: readonly FindingCode[];
  readonly ignore: readonly FindingCode[];
  readonly minSeverity: FindingSeverity;
  /** Findings of workloads elsewhere are left out; those of the mesh as a whole stay. */
  readonly namespace: string | undefined;
  /** The same of what belongs to workloads that were not asked about. */
  readonly isConcerned: (object: Concerned) => boolean;
}

/** A finding that could not, or not everywhere, be looked for. */
export interface NotEvaluated {
  readonly code: FindingCode;
  readonly why: string;
}

export interface CheckResult {
  /** Worst first, then in the table's order. */
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
  /** The codes that were looked for, in the table's order; those in `notEvaluated` are among them. */
  readonly evaluated: readonly FindingCode[];
  /** Left out by --only, --ignore and --min-severity. */
  readonly leftOut: readonly FindingCode[];
}

/** True if the filter leaves a finding to be looked for. */
export function isSelected(code: FindingCode, { only, ignore, minSeverity }: FindingFilter): boolean {
  return (
    (only.length === 0 || only.includes(code)) &&
    !ignore.includes(code) &&
    compareSeverity(FINDINGS[code].severity, minSeverity) <= 0
  );
}

/** Looks for every finding that the filter leaves. */
export function evaluateFindings(situation: Situation, filter: FindingFilter): CheckResult {
  const selected = FINDING_CODES.filter((code) => isSelected(code, filter));
  const canLook = (code: FindingCode) => hasCertificates(situation.answers) || WITHOUT_CERTIFICATES.has(code);
  const results = selected.map((code) => ({ code, found: FINDINGS[code].find(situation) }));
  const findings = results.flatMap(({ code, found }): readonly Finding[] => {
    const objects = found.objects.filter((object) => isWanted(object, filter));
    return objects.length === 0 ? [] : [describe(code, objects, situation)];
  });
  return {
    findings: findings.toSorted((a, b) => compareSeverity(a.severity, b.severity)),
    notEvaluated: results.flatMap(({ code, found: { notEvaluated } }) => {
      const why = notEvaluated ?? (canLook(code) ? undefined : 'no certificates could be read');
      return why === undefined ? [] : [{ code, why }];
    }),
    evaluated: selected,
    leftOut: FINDING_CODES.filter((code) => !selected.includes(code)),
  };
}

/** False where not one ztunnel told what it holds. */
export function hasCertificates(answers: readonly Answer[]): boolean {
  return answers.some(({ dump }) => dump.sections.has('certificates'));
}

/** What is looked for in Kubernetes objects, and in how ztunnels answer. */
const WITHOUT_CERTIFICATES: ReadonlySet<FindingCode> = new Set([
  'CAPTURE-PENDING',
  'NODE-WITHOUT-ZTUNNEL',
  'POD-UNKNOWN',
  'ZTUNNEL-NOT-READY',
  'ZTUNNEL-UNREACHABLE',
  'NODE-DEAD',
  'CLOCK-SKEW',
  'DEFAULT-SERVICE-ACCOUNT',
  'VERSIONS-DIFFER',
]);

function describe(code: FindingCode, objects: readonly Concerned[], situation: Situation): Finding {
  const { severity, title, meaning, remedy, particulars }: FindingRule = FINDINGS[code];
  return {
    code,
    severity,
    title,
    meaning,
    remedy,
    particulars: particulars?.(situation, objects) ?? null,
    objects,
    hits: countHits(objects),
  };
}

/** What belongs to a workload's namespace; all else concerns every namespace. */
const OF_WORKLOADS = {
  Certificate: true,
  Identity: true,
  Pod: true,
  StatefulSet: true,
  Service: true,
  ServiceAccount: true,
  Ztunnel: false,
  Node: false,
  Authority: false,
  Clock: false,
  Workload: true,
} satisfies Record<ConcernedKind, boolean>;

function isWanted(object: Concerned, { namespace, isConcerned }: FindingFilter): boolean {
  if (!OF_WORKLOADS[object.kind]) return true;
  return (namespace === undefined || object.namespace === namespace) && isConcerned(object);
}

/** Distinct owners and pods; null if not one object knows its own. */
export function countHits(objects: readonly Concerned[]): Finding['hits'] {
  const known = objects.flatMap(({ hits }) => (hits.known ? [hits.owners] : []));
  if (known.length === 0) return null;
  const owners = known.flat();
  return {
    workloads: new Set(owners.map(({ kind, namespace, name }) => `${kind}/${namespace}/${name}`)).size,
    pods: new Set(owners.flatMap(({ namespace, pods }) => pods.map((pod) => `${namespace}/${pod}`))).size,
  };
}
