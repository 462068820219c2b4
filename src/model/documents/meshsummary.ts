// How many services, policies, connections or ztunnels there are, and how many are not as they should be.

import type { Summary } from '../certificates/summary.ts';
import type { Severity, ZtunnelRef } from '../types.ts';

interface Held {
  readonly ztunnels: readonly ZtunnelRef[];
  readonly differs: boolean;
}

/** `same` on every ztunnel that was compared, `partial`: not on all of them, `differ`: not the same on all that have it. */
export type Agreement = 'same' | 'partial' | 'differ';

/** What is not the same on all of `dumps` ztunnels is a warning. */
export function summarizeHeld(
  items: readonly Held[],
  dumps: number,
  asked: number,
  answered: number,
): Summary<Agreement> {
  const differ = items.filter((item) => item.differs).length;
  const partial = items.filter((item) => !item.differs && item.ztunnels.length < dumps).length;
  const same = items.length - differ - partial;
  return {
    total: items.length,
    bySeverity: { critical: 0, warning: differ + partial, information: 0, ok: same },
    byStatus: { same, partial, differ },
    ztunnels: { asked, answered },
  };
}

/** For what is not judged: everything is in order, and has no status. */
export function summarizeUnjudged(total: number, asked: number, answered: number): Summary<never> {
  return {
    total,
    bySeverity: { critical: 0, warning: 0, information: 0, ok: total },
    byStatus: {},
    ztunnels: { asked, answered },
  };
}

/** Ztunnels by whether they answered. */
export function summarizeZtunnels(
  items: readonly { readonly severity: Severity; readonly answered: boolean }[],
  asked: number,
): Summary<'answered' | 'failed'> {
  const answered = items.filter((item) => item.answered).length;
  const ofSeverity = (severity: Severity) => items.filter((item) => item.severity === severity).length;
  return {
    total: items.length,
    bySeverity: {
      critical: ofSeverity('critical'),
      warning: ofSeverity('warning'),
      information: ofSeverity('information'),
      ok: ofSeverity('ok'),
    },
    byStatus: { answered, failed: items.length - answered },
    ztunnels: { asked, answered },
  };
}
