// Files that are no config dump, or are hostile: one sentence with a next step, exit 1, no stack.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const capture = readFileSync(path.resolve(import.meta.dirname, '../testdata/dumps/node-a.config_dump.json'));
const at = '2026-11-29T22:03:42Z';

const folder = temporaryDirectory();

function file(content: string | Uint8Array): string {
  const name = path.join(folder, 'dump.json');
  writeFileSync(name, content);
  return name;
}

function linkTo(target: string): string {
  const name = path.join(folder, target.startsWith('link') ? target : `link-to-${target}`);
  symlinkSync(target, name);
  return name;
}

/** Input → what the one sentence says; a next step follows each. */
const useless: readonly (readonly [name: string, content: string | Uint8Array, says: RegExp])[] = [
  ['nothing', '', /empty/],
  ['null', 'null', /single JSON value/],
  ['a list', '[1,2]', /JSON list/],
  ['a number', '42', /single JSON value/],
  ['UTF-16 with a byte-order mark', Buffer.from('\uFEFF{"certificates":[]}', 'utf16le'), /UTF-16/],
  ['UTF-16 without one', Buffer.from('{"certificates":[]}', 'utf16le'), /UTF-16/],
  ['100,000 open brackets', '['.repeat(100_000), /list/],
  [
    '100,000 open brackets in a section',
    `{"certificates":${'['.repeat(100_000)}`,
    /deeper than 256 levels at byte \d+/,
  ],
  [
    'a dump cut inside the section asked for',
    capture.subarray(0, 5000),
    /byte 5000, inside its section certificates/,
  ],
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /PNG/],
  ['gzip', gzipSync(capture), /gzip/],
  ['a web page', '<!doctype html><html></html>', /web page/],
  ['YAML', 'kind: Pod\n', /YAML/],
  ['prose', 'hello world\n', /text that begins with "hello world"/],
  ['another JSON object', '{"foo":1}', /none of the sections/],
  ['a dump without certificates', '{"config":{"localNode":"n"},"workloads":[]}', /no certificates section/],
];

describe('certs -f', () => {
  test.each(useless)('%s', async (_, content, says) => {
    const { code, stdout, stderr } = await run(['certs', '-f', file(content), '-o', 'name']);
    expect(stdout).toBe('');
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(errors).toEqual([expect.stringMatching(says)]);
    expect(errors[0]).toMatch(/^error: dump\.json( on node \S+)?: [a-z].*[.:] [A-Z].*[.)]$/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });

  test.each(useless)('%s, with a good dump beside it', async (_, content) => {
    const good = path.join(folder, 'good.json');
    writeFileSync(good, capture);
    const { code, stdout, stderr } = await run(['certs', '-f', file(content), '-f', good, '-o', 'name']);
    expect(stdout.split('\n')).toContain('spiffe://cluster.local/ns/shop/sa/web');
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(code).toBe(1);
  });

  test.each([
    [
      'a file that is not there',
      () => path.join(folder, 'nowhere.json'),
      /nowhere\.json: the file does not exist/,
    ],
    ['a directory', () => folder, /is a directory/],
    [
      'a link to nothing',
      () => linkTo('nowhere.json'),
      /link-to-nowhere\.json: the file is a link that leads nowhere/,
    ],
    ['a link to itself', () => linkTo('link-to-link'), /the file is a link that leads nowhere/],
  ])('%s', async (_, name, says) => {
    const { code, stdout, stderr } = await run(['certs', '-f', name()]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
  });

  test('a section that is broken does not sink the others', async () => {
    const dump = JSON.parse(capture.toString()) as object;
    const name = file(JSON.stringify({ ...dump, workloads: 7 }));
    const { code, stdout, stderr } = await run(['certs', '-f', name, '--now', at]);
    expect(stdout).toContain('shop/web');
    expect(stderr).toMatch(/^error: dump\.json on node node-a: workloads is a number/m);
    expect(code).toBe(1);
  });

  test('a section that is broken is not shown as an empty mesh', async () => {
    const name = file('{"certificates":5,"workloads":"x","config":{}}');
    for (const command of ['certs', 'workloads']) {
      const { code, stdout, stderr } = await run([command, '-f', name]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).not.toMatch(/no ztunnel holds|knows no workload/);
      expect(stderr).toMatch(/^error: dump\.json: .* where a list was expected/m);
    }
  });

  test('a certificate that is broken does not sink the others', async () => {
    const dump = JSON.parse(capture.toString()) as { certificates: object[] };
    const certificates = [...dump.certificates, { identity: 5 }, 'x', null];
    const name = file(JSON.stringify({ ...dump, certificates }));
    const { code, stdout, stderr } = await run(['certs', '-f', name, '-o', 'name']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect(stderr).toMatch(/^error: dump\.json.*certificates/m);
    expect(code).toBe(1);
  });
});

describe('--resources', () => {
  test.each([
    ['nothing', '', /empty/],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /PNG/],
    ['prose', 'hello world\n', /not a Kubernetes object/],
    ['a config dump', capture, /--file|-f/],
    ['protobuf that is cut off', Buffer.from('6b3873000a0b', 'hex'), /cut off or corrupt/],
  ])('%s', async (_, content, says) => {
    const dump = path.join(folder, 'good.json');
    writeFileSync(dump, capture);
    const name = path.join(folder, 'objects');
    writeFileSync(name, content);
    const { code, stdout, stderr } = await run(['certs', '-f', dump, '--resources', name]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(says);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(stderr).toContain('objects');
  });

  test('an empty directory', async () => {
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    const { code, stderr } = await run(['certs', '-f', file(capture), '--resources', empty]);
    expect(stderr).toMatch(/^(error|warning): .*empty/m);
    expect(code).toBeLessThanOrEqual(1);
  });
});

describe('text from outside', () => {
  const escapes = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
  const identity = `spiffe://cluster.local/ns/shop/sa/${escapes}`;
  const hostile = JSON.stringify({
    certificates: [
      { identity, state: `Unavailable: ${escapes}`, certChain: [], rootCerts: [] },
      { identity: `${identity}2`, state: escapes, certChain: [], rootCerts: [] },
    ],
    config: { localNode: `node-${escapes}` },
    workloads: [
      { uid: `K//Pod/ns/${escapes}`, name: escapes, namespace: escapes, protocol: escapes, node: escapes },
    ],
  });
  const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

  test.each([
    'certs',
    'certs -o wide',
    'certs -o short',
    'certs -o name',
    'certs -o pem',
    'certs -o json',
    'certs -o yaml',
    'certs --group-by identity',
    'certs --group-by node',
    'w',
    'w -o wide',
    'w -o short',
    'w -o name',
    'w -o json',
    'w -o yaml',
  ])('%s leaves the terminal alone', async (commandLine) => {
    const terminal = { columns: 100, rows: 40 };
    const argv = [...commandLine.split(' '), '-f', file(hostile), '--no-color'];
    const { stdout, stderr } = await run(argv, { terminal });
    expect(stdout + stderr).not.toMatch(dangerous);
    if (commandLine !== 'certs -o pem') expect(stdout).not.toBe('');
  });

  test('names that mean something to JavaScript are data', async () => {
    const proto = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},';
    const { code, stdout } = await run([
      'certs',
      '-f',
      file(`${proto}"certificates":[{"identity":"__proto__","state":"constructor","__proto__":{"x":1}}]}`),
      '-o',
      'name',
    ]);
    expect(stdout).toBe('__proto__\n');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(code).toBe(0);
  });
});
