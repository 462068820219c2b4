// Packages the program for this system, once for all tests of it, and a second time to compare.

import { rmSync } from 'node:fs';
import process from 'node:process';
import { ROOT, sh } from '../scripts/place.ts';
import { AGAIN, HERE, PROGRAM, RELEASE } from './release.ts';

export default function setup(): void {
  // Tests of the front door run it in the program's place.
  process.env.KUBECTL_ZTUNNEL = PROGRAM;
  sh(process.execPath, ['scripts/generate.ts'], { cwd: ROOT });
  for (const out of [RELEASE, AGAIN]) {
    rmSync(out, { recursive: true, force: true });
    sh(process.execPath, ['scripts/build.ts'], { cwd: ROOT });
    sh(process.execPath, ['scripts/package.ts', '--platform', HERE.name, '--out', out], { cwd: ROOT });
  }
}
