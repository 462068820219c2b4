// The moments of a real mesh under testdata/mesh/, as flags: both nodes' dumps, pods, namespaces, and when they were taken.

import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Moment {
  /** `-f … --resources …`. */
  readonly files: string;
  readonly at: string;
  /** Ten minutes after it, where its pods are no longer young. */
  readonly later: string;
}

/** `name` is its folder, such as `enrol/1-never-handed-over`. */
export function readMoment(name: string): Moment {
  const place = path.join(import.meta.dirname, 'mesh', name);
  const { at } = JSON.parse(readFileSync(path.join(place, 'observed.json'), 'utf8')) as { at: string };
  const dumps = ['a', 'b'].map((node) => `-f ${path.join(place, `node-${node}.config_dump.json`)}`);
  const objects = ['pods', 'namespaces'].map((kind) => `--resources ${path.join(place, `${kind}.json`)}`);
  return {
    files: [...dumps, ...objects].join(' '),
    at,
    later: new Date(Date.parse(at) + 600_000).toISOString(),
  };
}
