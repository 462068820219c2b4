// How Go's clock is made movable in what is built here: an overlay of its package time, made of the installed Go's source.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const AHEAD = path.resolve(import.meta.dirname, '../controlplane/movedclock/ahead.go');
const READING = 'sec, nsec, mono := runtimeNow()\n\tif mono == 0 {';
const MOVED = READING.replace('\n', '\n\tsec += secondsAhead\n');

/** Writes the overlay for `go build -overlay` into a folder, and gives its path. Throws where Go's source is another. */
export function writeClockOverlay(folder: string): string {
  const { stdout } = spawnSync('go', ['env', 'GOROOT'], { encoding: 'utf8' });
  const source = path.join(stdout.trim(), 'src/time/time.go');
  const parts = readFileSync(source, 'utf8').split(READING);
  if (parts.length !== 2) {
    throw new Error(
      `${source} reads the clock in a way unknown here: adapt test/endtoend/goclock.ts to this Go`,
    );
  }
  const moved = path.join(folder, 'time.go');
  writeFileSync(moved, parts.join(MOVED));
  const overlay = path.join(folder, 'overlay.json');
  const Replace = { [source]: moved, [path.join(path.dirname(source), 'ahead.go')]: AHEAD };
  writeFileSync(overlay, JSON.stringify({ Replace }));
  return overlay;
}
