// The npm package: what it holds, and that installing it gives a program that works and nothing else.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newFolder, ROOT, sh } from '../scripts/place.ts';
import { run } from './run.ts';

let folder: string;
let installed: string;
beforeAll(() => {
  folder = newFolder();
  sh('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  // Offline: whatever it asked a registry for would fail.
  sh('npm', ['install', '--global', '--offline', '--prefix', folder, path.join(folder, tarball)]);
  installed = path.join(folder, 'lib/node_modules/kubectl-ztunnel');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('holds the program, its licences and its README', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)));
  expect(files.sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/kubectl-ztunnel',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/kubectl-ztunnel.mjs',
    'package.json',
  ]);
});

test('needs no other package, and runs nothing while it is installed', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.optionalDependencies]).toEqual([undefined, undefined]);
  expect(Object.keys(manifest.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  expect(existsSync(path.join(installed, 'node_modules'))).toBe(false);
});

test('gives kubectl its plugin', async () => {
  const program = path.join(folder, 'bin/kubectl-ztunnel');
  const dump = path.join(ROOT, 'test/testdata/dumps/node-a.config_dump.json');
  const argv = ['certs', '-o', 'short', '-f', dump, '--now', '2026-11-29T22:03:42Z'];
  const { code, stdout } = await run(program, argv, { PATH: path.dirname(process.execPath) });
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(path.join(ROOT, 'test/testdata/istioctl/node-a/certs.short'), 'utf8'));
});
