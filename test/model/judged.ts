// How model tests have certificates joined and judged where they say nothing else: live, an hour after the leaf began.

import { type CertificateInput, joinCertificates } from '../../src/model/certificates/certificates.ts';
import type { CertificateItem } from '../../src/model/items.ts';
import { HOUR, later } from './chains.ts';
import { inventory } from './values.ts';

/** The rows of these ztunnels' answers; who answered is who was asked. */
export function judged(values: Partial<CertificateInput>): readonly CertificateItem[] {
  return joinCertificates({
    answers: [],
    ztunnels: (values.answers ?? []).map(({ ztunnel }) => ztunnel),
    failures: [],
    inventory: inventory(),
    reference: later(HOUR),
    source: 'live',
    warnWithin: { percent: 10 },
    evaluateMissing: true,
    ...values,
  }).items;
}
