// What is said of a change while it is watched, and how a table marks it.

import { formatDuration, formatTime } from '../../base/duration.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Rotation } from '../../model/certificates/rotation.ts';
import type { Difference } from '../../model/difference.ts';
import { clusterDocument } from '../../model/documents/document.ts';
import { differenceDocument } from '../../model/documents/findings.ts';
import type { FindingChange } from '../../model/findings/changes.ts';
import type { Event, Tone } from '../../printers/printer.ts';
import { displayRef } from './certificatecolumns.ts';
import { displayObject } from './columns.ts';

/** `2026-11-29T22:03:52Z renewed shop/web on node-a: serial 0A → 0B, until …`. */
export function differenceEvent(difference: Difference, time: Date): Event {
  const { changes, cluster, node, detail } = difference;
  const where = `${node === null ? '' : ` on ${node}`}${inCluster(cluster)}`;
  return {
    text: `${stamp(time)} ${changes.join('+')} ${displayRef(difference)}${where}: ${detail}`,
    tone: toneOf(difference),
    document: eventDocument('ChangeEvent', time, { change: differenceDocument(difference) }),
  };
}

/** ` in east`; nothing where only one cluster is asked. */
function inCluster(cluster: string | undefined): string {
  return cluster === undefined ? '' : ` in ${cluster}`;
}

/** `2026-11-29T22:03:52Z added EXPIRED shop/web on node-a: detail`. */
export function findingEvent({ change, finding, object }: FindingChange, time: Date): Event {
  const { kind, namespace, name, node, detail } = object;
  return {
    text: `${stamp(time)} ${change} ${finding.code} ${displayObject(object)}${detail === null ? '' : `: ${detail}`}`,
    tone: change === 'added' ? finding.severity : 'plain',
    document: eventDocument('FindingEvent', time, {
      change,
      code: finding.code,
      severity: finding.severity,
      object: { ...clusterDocument(object), kind, namespace, name, node, detail },
    }),
  };
}

/** `2026-11-29T22:03:52Z rotation to root 0a1b2c3d4e5f: 12 of 15 certificates, …`. */
export function rotationEvent(rotation: Rotation, time: Date): Event {
  const { root, total, rotated, due } = rotation;
  return {
    text: `${stamp(time)} ${describeRotation(rotation, time)}`,
    tone: rotated === total ? 'ok' : 'plain',
    document: eventDocument('RotationEvent', time, {
      root,
      total,
      rotated,
      lastRenewalDue: due === null ? null : formatTime(due),
    }),
  };
}

const FINGERPRINT_DIGITS = 12;

/** How many certificates are under the newest root, and when the last of the others is due. */
export function describeRotation({ root, total, rotated, due }: Rotation, time: Date): string {
  const progress = `rotation to root ${root.slice(0, FINGERPRINT_DIGITS)}: ${rotated} of ${total} certificates`;
  if (due === null) return `${progress}, done`;
  const left = (due - time.getTime()) / 1000;
  return left > 0
    ? `${progress}, last renewal due in ${formatDuration(left)} (${formatTime(due)})`
    : `${progress}, last renewal was due ${formatDuration(left)} ago`;
}

function eventDocument(kind: string, time: Date, more: JsonObject): JsonObject {
  return { apiVersion: 'ztunnel.kubectl/v1', kind, time: stamp(time), ...more };
}

function stamp(time: Date): string {
  return formatTime(time.getTime());
}

/** What became worse stands out; all else is only said. */
export function toneOf({ severity, changes }: Pick<Difference, 'severity' | 'changes'>): Tone {
  return changes.includes('added') || changes.includes('status') || changes.includes('fails')
    ? severity
    : 'plain';
}
