// What `check` tells a monitor as metrics.

import { listAuthorities } from '../../model/findings/authorities.ts';
import { type CheckResult, severitiesOf } from '../../model/findings/check.ts';
import { ACROSS_CODES, type AnyCode, FINDING_CODES } from '../../model/findings/codes.ts';
import { type CertificateItem, STATUSES } from '../../model/items.ts';
import type { Metric, Sample } from '../../printers/monitors.ts';
import type { ClusterState } from '../reports/clusters.ts';
import type { CheckedMesh, CheckFindings } from './checked.ts';

/** All gauges, in a fixed order. Times are seconds since 1970, so that the monitor's own clock counts. */
export function findingMetrics(check: CheckFindings, exitCode: number): readonly Metric[] {
  const { result, parts, clusters, reference } = check;
  /** The samples of each cluster, with a label that names it where there are several. */
  const each = (samplesOf: (looked: CheckedMesh) => Iterable<Sample>) => labelled(parts, samplesOf);
  // Without --contexts there is nothing between clusters.
  const across: Outcome = {
    ...result,
    codes: clusters === undefined ? [] : ACROSS_CODES,
    findings: result.findings.filter(({ cluster }) => cluster === null),
    notEvaluated: result.notEvaluated.filter(({ cluster }) => cluster === undefined),
  };
  return [
    gauge(
      'ztunnel_certificate_not_after_seconds',
      'When the first of leaf and intermediates expires, in seconds since 1970.',
      each(({ certificates }) => certificates.flatMap((item) => timeSample(item, item.effectiveNotAfter))),
    ),
    gauge(
      'ztunnel_certificate_not_before_seconds',
      'When the leaf begins to be valid, in seconds since 1970.',
      each(({ certificates }) => certificates.flatMap((item) => timeSample(item, item.notBefore))),
    ),
    gauge(
      'ztunnel_certificate_status',
      'Which status the certificate has: 1 for that one, 0 for all others.',
      each(({ certificates }) => statusSamples(certificates)),
    ),
    gauge(
      'ztunnel_authority_not_after_seconds',
      'When a root or intermediate in use expires, in seconds since 1970.',
      each(({ mesh }) =>
        listAuthorities(mesh.situation.needed).map(({ facts, part }) => ({
          labels: { part, subject: facts.subject, fingerprint: facts.fingerprintSHA256 },
          value: Date.parse(facts.notAfter) / 1000,
        })),
      ),
    ),
    gauge(
      'ztunnel_findings',
      'How many objects each finding concerns; codes that were not looked for are left out.',
      both(
        each((looked) => countSamples({ codes: FINDING_CODES, ...looked.result })),
        countSamples(across),
      ),
    ),
    gauge(
      'ztunnel_finding_evaluated',
      'Whether a finding was looked for everywhere.',
      both(
        each((looked) => evaluatedSamples({ codes: FINDING_CODES, ...looked.result })),
        evaluatedSamples(across),
      ),
    ),
    ...(clusters === undefined ? [] : [clustersGauge(clusters)]),
    gauge(
      'ztunnel_ztunnels_asked',
      'How many ztunnels are in scope.',
      each(({ mesh }) => [{ labels: {}, value: mesh.collected.asked }]),
    ),
    gauge(
      'ztunnel_ztunnels_answered',
      'How many ztunnels answered.',
      each(({ mesh }) => [{ labels: {}, value: mesh.collected.answers.length }]),
    ),
    gauge(
      'ztunnel_check_exit_code',
      'What the check exited with: 0 well, 1 warning, 2 critical, 3 incomplete.',
      [{ labels: {}, value: exitCode }],
    ),
    gauge(
      'ztunnel_last_check_timestamp_seconds',
      'The time that everything was judged at, in seconds since 1970.',
      clusters === undefined
        ? [{ labels: {}, value: reference.time.getTime() / 1000 }]
        : each(({ mesh }) => [{ labels: {}, value: mesh.reference.time.getTime() / 1000 }]),
    ),
  ];
}

function* labelled(
  parts: CheckFindings['parts'],
  samplesOf: (looked: CheckedMesh) => Iterable<Sample>,
): Generator<Sample> {
  for (const { cluster, looked } of parts) {
    for (const sample of samplesOf(looked)) {
      yield cluster === undefined ? sample : { ...sample, labels: { cluster, ...sample.labels } };
    }
  }
}

function* both(first: Iterable<Sample>, second: Iterable<Sample>): Generator<Sample> {
  yield* first;
  yield* second;
}

/** What was found of some codes. */
type Outcome = Pick<CheckResult, 'findings' | 'notEvaluated' | 'evaluated'> & {
  readonly codes: readonly AnyCode[];
};

function countSamples({ codes, findings, evaluated }: Outcome): readonly Sample[] {
  const counts = new Map(
    findings.map(({ code, severity, objects }) => [`${code} ${severity}`, objects.length]),
  );
  return codes
    .filter((code) => evaluated.includes(code))
    .flatMap((code) =>
      severitiesOf(code).map((severity) => ({
        labels: { code, severity },
        value: counts.get(`${code} ${severity}`) ?? 0,
      })),
    );
}

function evaluatedSamples({ codes, notEvaluated, evaluated }: Outcome): readonly Sample[] {
  const gaps = new Set(notEvaluated.map(({ code }) => code));
  return codes.map((code) => ({
    labels: { code },
    value: Number(evaluated.includes(code) && !gaps.has(code)),
  }));
}

function clustersGauge(clusters: readonly ClusterState[]): Metric {
  return gauge(
    'ztunnel_cluster_answered',
    'Whether the cluster could be asked.',
    clusters.map(({ name, reference }) => ({
      labels: { cluster: name },
      value: Number(reference !== null),
    })),
  );
}

function gauge(name: string, help: string, samples: Iterable<Sample>): Metric {
  return { name, help, type: 'gauge', samples };
}

function timeSample(item: CertificateItem, time: string | null): readonly Sample[] {
  return time === null ? [] : [{ labels: labelsOf(item), value: Date.parse(time) / 1000 }];
}

function* statusSamples(items: readonly CertificateItem[]): Generator<Sample> {
  for (const item of items) {
    for (const status of STATUSES) {
      yield { labels: { ...labelsOf(item), status }, value: Number(item.status === status) };
    }
  }
}

/** Two ztunnels of one node may list the same identity. */
function labelsOf({ identity, node, ztunnel }: CertificateItem): Readonly<Record<string, string>> {
  return { identity, node: node ?? '', ztunnel: ztunnel?.name ?? '' };
}
