// How the table of findings is applied to a mesh, and what is left of it after the user's filters.

import { compareSeverity } from '../order.ts';
import type { Answer } from '../types.ts';
import { ACROSS } from './across.ts';
import { type AcrossCode, type AnyCode, FINDING_CODES, type FindingCode } from './codes.ts';
import type { Concerned, ConcernedKind, FindingRule, FindingSeverity, FindingTexts } from './finding.ts';
import type { Situation } from './situation.ts';
import { FINDINGS } from './table.ts';

/** One finding with all the objects that it concerns: a row of `check`. */
export interface Finding extends FindingTexts {
  /** The context of its cluster, where several clusters are asked; null for what is between them. */
  readonly cluster?: string | null;
  readonly code: AnyCode;
  readonly particulars: string | null;
  /** At least one. */
  readonly objects: readonly Concerned[];
  /** How many distinct owners and pods it hits; null where that is not known. */
  readonly hits: { readonly workloads: number; readonly pods: number } | null;
}

/** What the user wants to hear of. */
export interface FindingFilter {
  readonly only: readonly AnyCode[];
  readonly ignore: readonly AnyCode[];
  readonly minSeverity: FindingSeverity;
  /** Findings of workloads elsewhere are left out; those of the mesh as a whole stay. */
  readonly namespace: string | undefined;
  /** The same of what belongs to workloads that were not asked about. */
  readonly isConcerned: (object: Concerned) => boolean;
}

/** A finding that could not, or not everywhere, be looked for. */
export interface NotEvaluated {
  /** The context of its cluster, where several clusters are asked and it is of one of them. */
  readonly cluster?: string;
  readonly code: AnyCode;
  readonly why: string;
}

export interface CheckResult {
  /** Worst first, then in the table's order. */
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
  /** The codes that were looked for, in the table's order; those in `notEvaluated` are among them. */
  readonly evaluated: readonly AnyCode[];
  /** Left out by --only, --ignore and --min-severity. */
  readonly leftOut: readonly AnyCode[];
}

/** What of the filter chooses among findings. */
type Choice = Pick<FindingFilter, 'only' | 'ignore' | 'minSeverity'>;

/** True if the filter leaves a finding to be looked for. */
export function isSelected(code: AnyCode, { only, ignore, minSeverity }: Choice): boolean {
  return (
    (only.length === 0 || only.includes(code)) &&
    !ignore.includes(code) &&
    compareSeverity(textsOf(code).severity, minSeverity) <= 0
  );
}

/** What is said of it. */
export function textsOf(code: AnyCode): FindingTexts {
  return code in FINDINGS ? FINDINGS[code as FindingCode] : ACROSS[code as AcrossCode];
}

/** What its objects may be, worst first. */
export function severitiesOf(code: AnyCode): readonly FindingSeverity[] {
  const { severity, lesser = [] } = textsOf(code);
  return [severity, ...lesser];
}

/** Looks for every finding that the filter leaves. */
export function evaluateFindings(situation: Situation, filter: FindingFilter): CheckResult {
  const selected = FINDING_CODES.filter((code) => isSelected(code, filter));
  const canLook = (code: FindingCode) => hasCertificates(situation.answers) || WITHOUT_CERTIFICATES.has(code);
  const results = selected.map((code) => ({ code, found: FINDINGS[code].find(situation) }));
  const findings = results.flatMap(({ code, found }): readonly Finding[] => {
    const objects = found.objects.filter((object) => isWanted(object, filter));
    return splitBySeverity(code, objects)
      .filter(({ severity }) => compareSeverity(severity, filter.minSeverity) <= 0)
      .map((part) => describe(code, part, situation));
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
  'ZTUNNEL-EMPTY',
  'NOT-ENROLLED',
  'PROXY-PENDING',
  'ENROLLED-OTHERWISE',
  'PROTOCOL-DIFFERS',
  'STALE-CONFIG',
  'FAKE-CA',
  'UNCAPTURED',
  'CAPTURED-UNASKED',
  'POLICY-UNMATCHED',
  'POLICY-ALLOWS-NOTHING',
  'POLICY-SELECTS-NOTHING',
  'ZTUNNEL-NOT-READY',
  'ZTUNNEL-UNREACHABLE',
  'NODE-DEAD',
  'CLOCK-SKEW',
  'DEFAULT-SERVICE-ACCOUNT',
  'VERSIONS-DIFFER',
]);

/** The objects of a finding that are equally grave. */
interface FindingPart {
  readonly severity: FindingSeverity;
  /** At least one. */
  readonly objects: readonly Concerned[];
}

function splitBySeverity(code: FindingCode, objects: readonly Concerned[]): readonly FindingPart[] {
  const parts = Map.groupBy(objects, ({ severity = FINDINGS[code].severity }) => severity);
  return [...parts].map(([severity, members]) => ({ severity, objects: members }));
}

function describe(code: FindingCode, { severity, objects }: FindingPart, situation: Situation): Finding {
  const { title, meaning, remedy, particulars, textsIn }: FindingRule = FINDINGS[code];
  return {
    code,
    severity,
    title,
    meaning,
    remedy,
    ...textsIn?.(situation),
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
  Cluster: false,
  Owner: true,
  Policy: true,
  Trust: false,
  Workload: true,
} satisfies Record<ConcernedKind, boolean>;

/** Whether it is of the namespace and the workloads that were asked about. */
export function isWanted(object: Concerned, { namespace, isConcerned }: FindingFilter): boolean {
  if (!OF_WORKLOADS[object.kind]) return true;
  return (namespace === undefined || object.namespace === namespace) && isConcerned(object);
}

/** Distinct owners and pods, those of each cluster by themselves; null if not one object knows its own. */
export function countHits(objects: readonly Concerned[]): Finding['hits'] {
  const known = objects.flatMap(({ cluster = '', hits }) =>
    hits.known ? [{ cluster, owners: hits.owners }] : [],
  );
  if (known.length === 0) return null;
  const owners = known.flatMap(({ cluster, owners: all }) => all.map((owner) => ({ ...owner, cluster })));
  const workloads = owners.map(
    ({ cluster, kind, namespace, name }) => `${cluster}/${kind}/${namespace}/${name}`,
  );
  const pods = owners.flatMap(({ cluster, namespace, pods }) =>
    pods.map((pod) => `${cluster}/${namespace}/${pod}`),
  );
  return { workloads: new Set(workloads).size, pods: new Set(pods).size };
}
