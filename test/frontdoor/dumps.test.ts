// Whole config dumps: printed as they were sent, and read back with -f in every form in which they are printed.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const testdata = path.resolve(import.meta.dirname, '../testdata');
const pathOf = (name: string) => path.join(testdata, 'dumps', `${name}.config_dump.json`);
const nodes = ['node-a', 'node-b', 'node-c'];
const files = nodes.flatMap((name) => ['-f', pathOf(name)]);
const now = ['--now', '2026-11-29T22:03:42Z'];
const sentBy = (name: string) => JSON.parse(readFileSync(pathOf(name), 'utf8')) as object;

const folder = temporaryDirectory();
const save = (name: string, text: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('one dump', () => {
  test('in JSON is what was sent, byte for byte', async () => {
    const { stdout, stderr, code } = await run(['all', '-f', pathOf('node-a'), '-o', 'json']);
    expect(stdout.trimEnd()).toBe(readFileSync(pathOf('node-a'), 'utf8').trimEnd());
    expect([stderr, code]).toEqual(['', 0]);
  });

  test('in YAML is the same value', async () => {
    const { stdout, code } = await run(['all', '-f', pathOf('node-a'), '-o', 'yaml']);
    expect(load(stdout)).toEqual(sentBy('node-a'));
    expect(code).toBe(0);
  });

  test('keeps the digits of large numbers, and what looks like a prototype', async () => {
    const text =
      '{"certificates": [], "config": {"a": 12345678901234567890, "b": 1e400, "c": 0.1}, "__proto__": {"x": 1}}';
    const json = await run('all -f - -o json', { stdin: text });
    expect(json.stdout).toBe(`${text}\n`);
    const yaml = await run('all -f - -o yaml', { stdin: text });
    expect(yaml.stdout).toContain('a: 12345678901234567890\n  b: 1e400\n  c: 0.1\n__proto__:\n  x: 1\n');
  });

  test('with an escape sequence reaches no terminal', async () => {
    const text = '{"certificates":[],\r"config":{"a":"\u001b[31m\u202e"}}';
    const { stdout } = await run('all -f - -o json', { stdin: text });
    expect(stdout).toBe('{"certificates":[],\n"config":{"a":"\\u001b[31m\\u202e"}}\n');
  });

  test('that breaks off is a failure, and no half of it is printed', async () => {
    const text = readFileSync(pathOf('node-a'), 'utf8').slice(0, -100);
    const { stdout, stderr, code } = await run(['all', '-f', '-', '-o', 'json'], { stdin: text });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^no ztunnel answered\nerror: stdin: the config dump breaks off at byte \d+/);
    expect(code).toBe(1);
  });
});

describe('a list of dumps', () => {
  const certificates = (text: string) =>
    (JSON.parse(text) as { items: { identity: string; node: string }[] }).items.map(
      ({ identity, node }) => `${identity} ${node}`,
    );

  test('holds each as it was sent, and who sent it', async () => {
    const { stdout, code } = await run(['all', ...files, '-o', 'json', ...now]);
    const { items, kind, summary } = JSON.parse(stdout);
    expect(kind).toBe('ConfigDumpList');
    expect(items.map(({ dump }: { dump: object }) => dump)).toEqual(nodes.map(sentBy));
    expect(items[1].ztunnel).toEqual({ namespace: null, name: 'node-b.config_dump.json', node: 'node-b' });
    expect(summary.ztunnels).toEqual({ asked: 3, answered: 3 });
    expect(code).toBe(0);
  });

  test('with one that fails has the others, and names it', async () => {
    const { stdout, code } = await run(['all', ...files, '-f', 'nowhere.json', '-o', 'json', ...now]);
    const { items, failures } = JSON.parse(stdout);
    expect(items).toHaveLength(3);
    expect(failures[0].ztunnel.name).toBe('nowhere.json');
    expect(code).toBe(1);
  });

  test.each([
    ['JSON', 'json', (text: string) => text],
    ['YAML', 'yaml', (text: string) => text],
    ['JSON on one line', 'json', (text: string) => JSON.stringify(JSON.parse(text))],
    ['JSON with dump before ztunnel', 'json', reversed],
    ['JSON after a byte order mark', 'json', (text: string) => `\ufeff${text}`],
  ])('in %s is read back as the dumps that it holds, from a file and from stdin', async (_, format, edit) => {
    const list = edit((await run(['all', ...files, '-o', format, ...now])).stdout);
    const direct = await run(['certs', ...files, ...now, '-o', 'json']);
    const saved = save(`list.${format}`, list);
    const fromFile = await run(['certs', '-f', saved, ...now, '-o', 'json']);
    const fromStdin = await run(['certs', '-f', '-', ...now, '-o', 'json'], { stdin: list });
    expect(certificates(fromFile.stdout)).toEqual(certificates(direct.stdout));
    expect(fromStdin).toEqual(fromFile);
    expect(fromFile.code).toBe(0);
  });

  test('twice over is twice as many ztunnels, told apart', async () => {
    const list = save('twice.json', (await run(['all', ...files, '-o', 'json', ...now])).stdout);
    const other = save('other.json', readFileSync(list, 'utf8'));
    const { stdout, stderr } = await run(['ztunnels', '-f', list, '-f', other, '-o', 'name']);
    expect(new Set(stdout.trimEnd().split('\n')).size).toBe(6);
    expect(stderr).toContain('both dumps of node node-b');
  });

  test('one dump in YAML is read like the same in JSON', async () => {
    const saved = save('one.yaml', (await run(['all', '-f', pathOf('node-a'), '-o', 'yaml'])).stdout);
    const { stdout } = await run(['all', '-f', saved, '-o', 'short', ...now]);
    expect(stdout).toBe(readFileSync(path.join(testdata, 'istioctl/node-a/all.short'), 'utf8'));
  });

  test.each([
    [
      'another document',
      '{"apiVersion":"ztunnel.kubectl/v1","kind":"CertificateList","items":[]}',
      /a CertificateList/,
    ],
    [
      'an item without a dump',
      '{"apiVersion":"ztunnel.kubectl/v1","kind":"ConfigDumpList","items":[{}]}',
      /no dump/,
    ],
    [
      'an item that is no object',
      '{"apiVersion":"ztunnel.kubectl/v1","kind":"ConfigDumpList","items":[1]}',
      /opening brace/,
    ],
    [
      'half a list',
      '{"apiVersion":"ztunnel.kubectl/v1","kind":"ConfigDumpList","items":[{"dump":',
      /breaks off/,
    ],
    [
      'a dump that is text',
      '{"apiVersion":"ztunnel.kubectl/v1","kind":"ConfigDumpList","items":[{"dump":"x"}]}',
      /no dump/,
    ],
    ['YAML that is no dump', 'apiVersion: v1\nkind: Pod\n', /YAML by its looks/],
    ['YAML that is damaged', 'certificates: [\nconfig: }\n', /neither JSON nor valid YAML/],
  ])('%s is one sentence and exit 1', async (_, stdin, message) => {
    const { stdout, stderr, code } = await run('certs -f -', { stdin });
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
    expect(code).toBe(1);
  });
});

function reversed(text: string): string {
  const document = JSON.parse(text) as { items: { ztunnel: object; dump: object }[] };
  return JSON.stringify({
    ...document,
    items: document.items.map(({ ztunnel, dump }) => ({ dump, ztunnel })),
  });
}
