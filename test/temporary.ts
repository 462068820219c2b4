// A directory for one test file's own files, which is gone when its tests have ended.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';

/** To be called where tests are described, not within one. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'kubectl-ztunnel-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
