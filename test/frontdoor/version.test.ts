// `version`: what a build says of itself, to people and to programs.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { about } from '../../bin/about.ts';
import { COMPILED, commandLine } from '../executable.ts';
import { run } from '../program.ts';
import { validate } from '../schema.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const platform = `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;

const runtime = COMPILED ? expect.stringMatching(/^Bun \d+\.\d+\.\d+$/) : `Node.js ${process.versions.node}`;

/** What the bundle says, which alone knows its version. */
function built(...argv: readonly string[]): string {
  const [command, words] = commandLine(['version', ...argv]);
  return spawnSync(command, words, { encoding: 'utf8' }).stdout;
}

describe('version', () => {
  test('tells people which build it is, of which commit, and what runs it', () => {
    const [first, second, third, end] = built().split('\n');
    expect(first).toBe(`kubectl ztunnel ${version}`);
    expect(second).toMatch(/^([0-9a-f]{40}(-dirty)?|an unknown commit)(, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/);
    expect([third?.split(', '), end]).toEqual([[runtime, platform], '']);
  });

  test('tells programs the same, in JSON as in YAML', () => {
    const document = JSON.parse(built('-o', 'json')) as { commit: string; buildDate: string };
    expect(validate(document) ? [] : validate.errors).toEqual([]);
    expect(document).toMatchObject({ kind: 'Version', version, runtime, platform });
    expect(load(built('-oyaml'))).toEqual(document);
    expect(built()).toContain(document.commit ?? 'an unknown commit');
  });

  test('from its sources knows no version, and says so', () => {
    expect(about).toMatchObject({ version: '0.0.0-source', commit: null, buildDate: null });
  });

  test('takes no other format, and none of the flags that ask a mesh', async () => {
    const format = await run('version -o wide');
    expect([format.code, format.stdout]).toEqual([1, '']);
    expect(format.stderr).toContain('text, json, yaml');
    expect((await run('version --node a')).stderr).toBe(
      'error: version has no flag --node. See --help for the flags that it has.\n',
    );
  });

  test('says in its help which flags it has', async () => {
    const { stdout } = await run('version --help');
    expect(stdout).toContain('kubectl ztunnel version [flags]\n');
    expect(stdout).toContain('-o, --output FORMAT');
    expect(stdout).not.toContain('kubeconfig');
  });
});
