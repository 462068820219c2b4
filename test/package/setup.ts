// Packages the program for every platform, once for all tests of it, and a second time in other surroundings to compare.

import { rmSync } from 'node:fs';
import process from 'node:process';
import { newFolder, ROOT, sh } from '../scripts/place.ts';
import { AGAIN, PROGRAM, RELEASE } from './release.ts';

/** What must not be found again in what is made. */
const ELSEWHERE = { TZ: 'Pacific/Apia', LC_ALL: 'C', USER: 'somebody' };

export default function setup(): void {
  // Tests of the front door run it in the program's place.
  process.env.KUBECTL_ZTUNNEL = PROGRAM;
  const folder = newFolder();
  const surroundings = [process.env, { ...process.env, ...ELSEWHERE, HOME: folder, TMPDIR: folder }];
  for (const [index, out] of [RELEASE, AGAIN].entries()) {
    rmSync(out, { recursive: true, force: true });
    const options = { cwd: ROOT, env: surroundings[index] as NodeJS.ProcessEnv };
    for (const script of ['generate', 'build']) sh(process.execPath, [`scripts/${script}.ts`], options);
    sh(process.execPath, ['scripts/package.ts', '--out', out], options);
  }
  rmSync(folder, { recursive: true });
}
