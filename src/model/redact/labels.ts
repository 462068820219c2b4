// What is left of labels when they are redacted: that two are equal, and what asks for capture.

import { DATAPLANE_MODE, MODES } from '../captured.ts';
import type { Names } from './names.ts';

/** Keys and values as hashes; `istio.io/dataplane-mode` stays where its value is one of Istio's. */
export function redactLabels(labels: Readonly<Record<string, string>>, names: Names): Record<string, string> {
  const short = (text: string) => names.digest(text).slice(0, 12);
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) =>
      key === DATAPLANE_MODE && MODES.has(value) ? [key, value] : [short(key), short(value)],
    ),
  );
}
