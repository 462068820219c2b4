// How what was found in each of several clusters is put together, with what is wrong between them.

import { compareBy, compareText } from '../../base/order.ts';
import { compareSeverity } from '../order.ts';
import { ACROSS } from './across.ts';
import {
  type CheckResult,
  countHits,
  type Finding,
  type FindingFilter,
  hasCertificates,
  isSelected,
  isWanted,
  type NotEvaluated,
} from './check.ts';
import { ACROSS_CODES, ALL_CODES, type AnyCode } from './codes.ts';
import type { Concerned } from './finding.ts';
import type { Situation } from './situation.ts';

/** What was found in one of them, and what was asked about there. */
export interface CheckedCluster {
  readonly cluster: string;
  readonly situation: Situation;
  readonly result: CheckResult;
  readonly filter: FindingFilter;
}

/** All of it: worst first, then by code, then by cluster. `names` are all the clusters that were to be checked. */
export function joinChecks(
  clusters: readonly CheckedCluster[],
  names: readonly string[],
  choice: Pick<FindingFilter, 'only' | 'ignore' | 'minSeverity'>,
): CheckResult {
  const between = evaluateAcross(clusters, names, choice);
  const evaluated = new Set<AnyCode>([
    ...clusters.flatMap(({ result }) => result.evaluated),
    ...between.evaluated,
  ]);
  return {
    findings: [...clusters.flatMap(nameFindings), ...between.findings].toSorted(compareFindings),
    notEvaluated: [
      ...clusters.flatMap(({ cluster, result }) => result.notEvaluated.map((each) => ({ cluster, ...each }))),
      ...between.notEvaluated,
    ],
    evaluated: ALL_CODES.filter((code) => evaluated.has(code)),
    leftOut: ALL_CODES.filter((code) => !isSelected(code, choice)),
  };
}

function nameFindings({ cluster, result }: CheckedCluster): readonly Finding[] {
  return result.findings.map((finding) => ({
    ...finding,
    cluster,
    objects: finding.objects.map((object) => ({ ...object, cluster })),
  }));
}

const compareFindings = compareBy<Finding>(
  (a, b) => compareSeverity(a.severity, b.severity),
  (a, b) => ALL_CODES.indexOf(a.code) - ALL_CODES.indexOf(b.code),
  (a, b) => compareText(a.cluster ?? '', b.cluster ?? ''),
);

type Between = Pick<CheckResult, 'findings' | 'notEvaluated' | 'evaluated'>;

function evaluateAcross(
  clusters: readonly CheckedCluster[],
  names: readonly string[],
  choice: Pick<FindingFilter, 'only' | 'ignore' | 'minSeverity'>,
): Between {
  const evaluated = ACROSS_CODES.filter((code) => isSelected(code, choice));
  const readable = clusters.filter(({ situation }) => hasCertificates(situation.answers));
  const filters = new Map(readable.map(({ cluster, filter }) => [cluster, filter]));
  const isAsked = (object: Concerned) => isWanted(object, filters.get(object.cluster ?? '')!);
  const findings = evaluated.flatMap((code): readonly Finding[] => {
    const { find, ...texts } = ACROSS[code];
    const objects = find(readable).filter(isAsked);
    if (objects.length === 0) return [];
    return [{ cluster: null, code, ...texts, particulars: null, objects, hits: countHits(objects) }];
  });
  const why = whyNotEverywhere(readable, names);
  const notEvaluated: readonly NotEvaluated[] =
    why === undefined ? [] : evaluated.map((code) => ({ code, why }));
  return { findings, notEvaluated, evaluated };
}

/** Completes "not evaluated: …"; undefined if all could be compared. */
function whyNotEverywhere(readable: readonly CheckedCluster[], names: readonly string[]): string | undefined {
  if (names.length < 2) return 'of one cluster alone';
  if (readable.length < 2) return 'no two clusters could be read';
  const known = new Set(readable.map(({ cluster }) => cluster));
  const unknown = names.filter((name) => !known.has(name));
  return unknown.length === 0 ? undefined : `without ${unknown.join(', ')}`;
}
