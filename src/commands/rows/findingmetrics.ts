// What `check` tells a monitor as metrics.

import { listAuthorities } from '../../model/findings/authorities.ts';
import { FINDING_CODES } from '../../model/findings/codes.ts';
import { FINDINGS } from '../../model/findings.ts';
import { type CertificateItem, STATUSES } from '../../model/types.ts';
import type { Metric, Sample } from '../../printers/printer.ts';
import type { CheckFindings } from './checkfindings.ts';

/** All gauges, in a fixed order. Times are seconds since 1970, so that the monitor's own clock counts. */
export function findingMetrics(check: CheckFindings, exitCode: number): readonly Metric[] {
  const { mesh, result, certificates: items } = check;
  const { asked, answers } = mesh.collected;
  const found = new Map(result.findings.map(({ code, objects }) => [code, objects.length]));
  const gaps = new Set(result.notEvaluated.map(({ code }) => code));
  const evaluated = new Set(result.evaluated);
  return [
    gauge(
      'ztunnel_certificate_not_after_seconds',
      'When the first of leaf and intermediates expires, in seconds since 1970.',
      items.flatMap((item) => timeSample(item, item.effectiveNotAfter)),
    ),
    gauge(
      'ztunnel_certificate_not_before_seconds',
      'When the leaf begins to be valid, in seconds since 1970.',
      items.flatMap((item) => timeSample(item, item.notBefore)),
    ),
    gauge(
      'ztunnel_certificate_status',
      'Which status the certificate has: 1 for that one, 0 for all others.',
      statusSamples(items),
    ),
    gauge(
      'ztunnel_authority_not_after_seconds',
      'When a root or intermediate in use expires, in seconds since 1970.',
      listAuthorities(mesh.situation.needed).map(({ facts, part }) => ({
        labels: { part, subject: facts.subject, fingerprint: facts.fingerprintSHA256 },
        value: Date.parse(facts.notAfter) / 1000,
      })),
    ),
    gauge(
      'ztunnel_findings',
      'How many objects each finding concerns; codes that were not looked for are left out.',
      FINDING_CODES.filter((code) => evaluated.has(code)).map((code) => ({
        labels: { code, severity: FINDINGS[code].severity },
        value: found.get(code) ?? 0,
      })),
    ),
    gauge(
      'ztunnel_finding_evaluated',
      'Whether a finding was looked for everywhere.',
      FINDING_CODES.map((code) => ({
        labels: { code },
        value: Number(evaluated.has(code) && !gaps.has(code)),
      })),
    ),
    gauge('ztunnel_ztunnels_asked', 'How many ztunnels are in scope.', [{ labels: {}, value: asked }]),
    gauge('ztunnel_ztunnels_answered', 'How many ztunnels answered.', [
      { labels: {}, value: answers.length },
    ]),
    gauge(
      'ztunnel_check_exit_code',
      'What the check exited with: 0 well, 1 warning, 2 critical, 3 incomplete.',
      [{ labels: {}, value: exitCode }],
    ),
    gauge(
      'ztunnel_last_check_timestamp_seconds',
      'The time that everything was judged at, in seconds since 1970.',
      [{ labels: {}, value: mesh.reference.time.getTime() / 1000 }],
    ),
  ];
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
