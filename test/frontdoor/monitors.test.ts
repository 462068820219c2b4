// What `check` hands to machines: Prometheus' text format and JUnit's XML, each read by a parser that is not ours, and files.

import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import parsePrometheus from 'parse-prometheus-text-format';
import { SaxesParser } from 'saxes';
import { FINDING_CODES } from '../../src/model/findings/codes.ts';
import { STATUSES } from '../../src/model/items.ts';
import { expectGolden } from '../golden.ts';
import { withDump } from '../mesh/edit.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { type MeshSpec, type Scenario, scenario, ztunnelOn } from '../mesh/scenario.ts';
import { deployment } from '../mesh/workloads.ts';
import { run } from '../program.ts';

const at = '2026-11-29T22:03:42Z';
const clock = new Date(at);
const nodes = ['node-a', 'node-b'] as const;

let folder: string;
let mesh: Mesh | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kubectl-ztunnel-test-'));
});
afterEach(async () => {
  await mesh?.close();
  rmSync(folder, { recursive: true });
});

async function ask(what: Scenario, commandLine: string, hangs?: string) {
  mesh = await startMesh(what);
  if (hangs !== undefined) mesh.misbehave(hangs, { how: 'hang', at: 'first-byte' });
  return run(commandLine, { clock, env: { KUBECONFIG: mesh.writeKubeconfig(folder) } });
}

/** shop/web on both nodes with lifetimes that are told here, so that a golden stands still. */
function shop(certificates: MeshSpec['certificates'] = {}): Promise<Scenario> {
  const web = { validFrom: -3600, validTo: 82_800 };
  const workloads = [deployment('shop/web', { on: nodes })];
  return scenario({ at, nodes, workloads, certificates: { 'shop/web': web, ...certificates } });
}

/** An identity with every character that could break out of a label, an attribute or a line. */
const HOSTILE = 'spiffe://a"b\\c\nd\x1b[31m<&>\u202e\ufffe';
const hostile = async () =>
  withDump(await shop(), 'node-a', (dump) => ({
    ...dump,
    certificates: [
      ...dump.certificates,
      { ...dump.certificates[0], identity: HOSTILE },
      { ...dump.certificates[0], identity: HOSTILE },
    ],
  }));

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly { readonly value: string; readonly labels?: Readonly<Record<string, string>> }[];
}

function familiesOf(text: string): ReadonlyMap<string, Family> {
  const families = parsePrometheus(text) as readonly Family[];
  return new Map(families.map((family) => [family.name, family]));
}

describe('-o prometheus', () => {
  test('is read by a parser', async () => {
    const { code, stdout } = await ask(await shop({ 'shop/web@node-b': 'EXPIRED' }), 'check -o prometheus');
    const families = familiesOf(stdout);
    expect([...families.values()].every(({ help, type }) => type === 'GAUGE' && help.endsWith('.'))).toBe(
      true,
    );
    const valuesOf = (name: string) => families.get(name)!.metrics;
    const identity = 'spiffe://cluster.local/ns/shop/sa/web';
    const notAfter = valuesOf('ztunnel_certificate_not_after_seconds');
    expect(notAfter.map(({ labels, value }) => [labels?.identity, labels?.node, Number(value)])).toEqual([
      [identity, 'node-b', Date.parse('2026-11-29T21:03:42Z') / 1000],
      [identity, 'node-a', Date.parse('2026-11-30T21:03:42Z') / 1000],
    ]);
    const statuses = valuesOf('ztunnel_certificate_status').filter(({ labels }) => labels?.node === 'node-b');
    expect(statuses.map(({ labels }) => labels?.status)).toEqual([...STATUSES]);
    expect(statuses.filter(({ value }) => value === '1').map(({ labels }) => labels?.status)).toEqual([
      'EXPIRED',
    ]);
    const found = new Map(valuesOf('ztunnel_findings').map(({ labels, value }) => [labels?.code, value]));
    expect([...found.keys()]).toEqual([...FINDING_CODES]);
    expect([found.get('EXPIRED'), found.get('MISSING')]).toEqual(['1', '0']);
    expect(valuesOf('ztunnel_last_check_timestamp_seconds')[0]?.value).toBe(String(clock.getTime() / 1000));
    expect(valuesOf('ztunnel_check_exit_code')[0]?.value).toBe('2');
    expect(code).toBe(2);
  });

  test('stands still', async () => {
    const { stdout } = await ask(await shop(), 'check -o prometheus --only EXPIRED,NODE-DEAD');
    const stable = stdout.replaceAll(/fingerprint="[0-9a-f]{64}"/g, 'fingerprint="…"');
    expectGolden('frontdoor', 'check-prometheus', stable);
  });

  test('a label holds whatever it holds, on one line, and each series stands once', async () => {
    const { stdout } = await ask(await hostile(), 'check -o prometheus');
    const lines = stdout.trimEnd().split('\n');
    // The grammar of a sample without a timestamp, as the format's own page has it.
    const sample = /^[a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? -?[0-9.e+]+$/;
    const other = lines.filter((line) => !/^# (HELP|TYPE) [a-z_]+ ./.test(line) && !sample.test(line));
    expect(other).toEqual([]);
    const series = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ [^ ]*$/, ''));
    expect(new Set(series).size).toBe(series.length);
    expect(stdout).not.toMatch(/[\x1b\u202e]/);
    const identities = familiesOf(stdout)
      .get('ztunnel_certificate_not_after_seconds')!
      .metrics.map(({ labels }) => labels?.identity);
    expect(identities.some((each) => each?.startsWith('spiffe://a"b\\c\\nd\\x1b[31m<&>'))).toBe(true);
  });

  test('times follow --now', async () => {
    const { stdout } = await ask(await shop(), 'check -o prometheus --now 2027-01-01T00:00:00Z');
    const [stamp] = familiesOf(stdout).get('ztunnel_last_check_timestamp_seconds')!.metrics;
    expect(Number(stamp?.value)).toBe(Date.parse('2027-01-01T00:00:00Z') / 1000);
  });
});

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Every element in the order of its end. Throws on XML that is not well-formed. */
function elementsOf(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push({ name, attributes: attributes as Record<string, string>, text: '' });
  });
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => elements.push(open.pop()!));
  parser.write(xml).close();
  return elements;
}

describe('-o junit', () => {
  test('is read by a parser: what fails, what is skipped, what could not be asked', async () => {
    const what = await shop({ 'shop/web@node-b': 'EXPIRED', 'shop/gone@node-b': 'OK' });
    const { stdout } = await ask(what, 'check -o junit --timeout 3s', ztunnelOn(what, 'node-a'));
    const elements = elementsOf(stdout);
    const named = (name: string) => elements.filter((element) => element.name === name);
    expect(named('testsuite')[0]?.attributes).toEqual({
      name: 'kubectl ztunnel check',
      tests: String(FINDING_CODES.length + 1),
      // It is expired, and the CA has long not issued another.
      failures: '2',
      errors: '1',
      skipped: '0',
      timestamp: at,
    });
    expect(named('testcase')).toHaveLength(FINDING_CODES.length + 1);
    expect(named('failure')[0]?.attributes.message).toBe('The certificate has expired.');
    expect(named('failure')[0]?.text).toContain('shop/web on node-b');
    expect(named('error')[0]?.attributes.message).toContain('3 s');
    expect(named('system-out')[0]?.text).toContain('shop/gone on node-b');
  });

  test('skips what was not, or not everywhere, evaluated', async () => {
    const { stdout } = await ask(await shop(), 'check -o junit');
    const skipped = elementsOf(stdout).filter(({ name }) => name === 'skipped');
    expect(skipped.map(({ attributes }) => attributes.message)).toEqual([
      'not evaluated: 1 of 2 ztunnels; --deep reads all',
    ]);
  });

  test('holds whatever a dump holds', async () => {
    const { stdout } = await ask(await hostile(), 'check -o junit');
    expect(elementsOf(stdout).some(({ text }) => text.includes('spiffe://a"b'))).toBe(true);
    expect(stdout).not.toMatch(/[\x1b\u202e\ufffe]/);
  });
});

describe('--output-file', () => {
  const file = () => path.join(folder, 'ztunnel.prom');
  const others = () => readdirSync(folder).filter((name) => name !== 'kubeconfig' && name !== 'ztunnel.prom');

  test('holds what stdout would have, and nothing is left beside it', async () => {
    const what = await shop({ 'shop/web@node-b': 'EXPIRED' });
    writeFileSync(file(), 'old');
    const direct = await ask(what, 'check -o prometheus');
    await mesh?.close();
    const filed = await ask(what, `check -o prometheus --output-file ${file()}`);
    expect(filed).toEqual({ code: 2, stdout: '', stderr: '' });
    expect(readFileSync(file(), 'utf8')).toBe(direct.stdout);
    expect(others()).toEqual([]);
  });

  test('removes what killed runs left, once it is a day old', async () => {
    const leftovers = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'].map((random) => `${file()}.${random}.tmp`);
    for (const [index, days] of [2, 0.5].entries()) {
      const changed = new Date(Date.now() - days * 86_400_000);
      writeFileSync(leftovers[index]!, 'half');
      utimesSync(leftovers[index]!, changed, changed);
    }
    await ask(await shop(), `check -o prometheus --output-file ${file()}`);
    expect(others()).toEqual([path.basename(leftovers[1]!)]);
    rmSync(leftovers[1]!);
  });

  test('takes a table, too, without colours', async () => {
    mesh = await startMesh(await shop({ 'shop/web@node-b': 'EXPIRED' }));
    const env = { KUBECONFIG: mesh.writeKubeconfig(folder), FORCE_COLOR: '1' };
    await run(`check --output-file ${file()}`, { clock, env, terminal: { columns: 80, rows: 24 } });
    expect(readFileSync(file(), 'utf8')).toMatch(
      /^SEVERITY {2}CODE .*\ncritical {2}EXPIRED .*\nwarning {3}CA-LAST-ISSUED .*\n$/,
    );
  });

  test('stays as it was when the check can not be made', async () => {
    writeFileSync(file(), 'old');
    const empty = await scenario({ at, nodes: [], workloads: [] });
    const { code } = await ask(empty, `check -o prometheus --output-file ${file()}`);
    expect(code).toBe(3);
    expect(readFileSync(file(), 'utf8')).toBe('old');
    expect(others()).toEqual([]);
  });

  test('that can not be written is an error with a next step', async () => {
    const wanted = path.join(folder, 'nowhere', 'ztunnel.prom');
    const { code, stdout, stderr } = await ask(await shop(), `check --output-file ${wanted}`);
    expect(stderr).toMatch(
      /^error: .*nowhere.*can't be written: .*ENOENT.*\. Check that its directory exists/,
    );
    expect([code, stdout]).toEqual([3, '']);
  });

  test.each(['device', 'directory'])('a %s is not replaced', async (name) => {
    const target = name === 'directory' ? folder : path.join(folder, name);
    if (name === 'device') symlinkSync('/dev/null', target);
    const { code, stderr } = await ask(await shop(), `check --output-file ${target}`);
    expect(stderr).toMatch(/^error: .* can't be written: it is (no regular file|a directory)/);
    expect(code).toBe(3);
  });
});
