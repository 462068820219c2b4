// What `wait` says of each pod.

import { formatTime } from '../../base/duration.ts';
import { compareBy, compareText } from '../../base/order.ts';
import { type Condition, describeCondition } from '../../model/certificates/condition.ts';
import type { Standing } from '../../model/certificates/standing.ts';
import type { Event } from '../../printers/printer.ts';

/** By namespace and name. */
export const compareStandings = compareBy<Standing>(
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.name, b.name),
);

/** `pod/web-1.shop ready: OK on node-a`, `pod/web-2.shop not ready: no ztunnel on node node-b`. */
export function waitEvent(standing: Standing, condition: Condition, time: Date): Event {
  const { namespace, name, node, status, lack } = standing;
  const wanted = describeCondition(condition);
  const said = lack === undefined ? `${wanted}: ${status} on ${node}` : `not ${wanted}: ${lack}`;
  return {
    text: `pod/${name}.${namespace} ${said}`,
    tone: lack === undefined ? 'ok' : 'critical',
    document: {
      apiVersion: 'ztunnel.kubectl/v1',
      kind: 'WaitEvent',
      time: formatTime(time.getTime()),
      pod: { namespace, name, node },
      condition: conditionText(condition),
      met: lack === undefined,
      status,
      reason: lack ?? null,
    },
  };
}

/** As it is typed. */
function conditionText(condition: Condition): string {
  if ('fingerprint' in condition) return `${condition.type}=${condition.fingerprint}`;
  return condition.type === 'status' ? `status=${condition.statuses.join(',')}` : condition.type;
}
