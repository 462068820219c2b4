// The page of `-o html`: what it holds, that it is one file which loads and runs nothing, and how a browser shows it.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { unmoved } from '../inherited.ts';
import { dumpText } from '../mesh/configdump.ts';
import { demo } from '../mesh/demo.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { ztunnelOn } from '../mesh/scenario.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const at = '2026-11-29T22:03:42Z';
const folder = temporaryDirectory();

let mesh: Mesh;
let pages: Readonly<Record<'certs' | 'check', string>>;
beforeAll(async () => {
  mesh = await startMesh({ ...(await demo(at)), clock: { at } }, { namespace: 'shop' });
  pages = { certs: (await ask('certs')).stdout, check: (await ask('check')).stdout };
});
afterAll(() => mesh.close());

function ask(line: string) {
  const env = { KUBECONFIG: mesh.writeKubeconfig(folder) };
  return run(`${line} -o html`, { clock: new Date(at), env });
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** All elements and the text of the page; throws where one is not closed, or a `<` stands for itself. */
function parse(page: string): { readonly elements: readonly Element[]; readonly text: string } {
  const elements: Element[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    elements.push({ name, attributes: attributes as Record<string, string> }),
  );
  parser.on('text', (part) => {
    text += part;
  });
  // HTML's own void elements and doctype, as XML has them.
  parser.write(page.replace('<!doctype html>\n', '').replaceAll(/<meta ([^>]*[^/])>/g, '<meta $1/>')).close();
  return { elements, text };
}

const count = (page: string, name: string, className?: string) =>
  parse(page).elements.filter(
    (each) => each.name === name && (className === undefined || each.attributes.class === className),
  ).length;

describe.each(['certs', 'check'] as const)('%s -o html', (command) => {
  test('is one well-formed file that loads and runs nothing', () => {
    const { elements } = parse(pages[command]);
    expect(
      elements.filter(({ name }) => /^(script|link|img|iframe|object|base|form|a)$/i.test(name)),
    ).toEqual([]);
    const attributes = elements.flatMap((element) => Object.keys(element.attributes));
    expect(attributes.filter((name) => /^(on|src|href|action)/i.test(name))).toEqual([]);
    expect(pages[command]).not.toMatch(/url\(|@import|javascript:/);
    expect(pages[command]).toContain("default-src 'none'");
  });

  test('has the time, the counts, and a life for each certificate that has dates', () => {
    const { text } = parse(pages[command]);
    expect(text).toContain(`As of ${at} (the API server's clock)`);
    // All but those that are unavailable (2), initializing, unknown, or missing.
    expect(count(pages[command], 'svg')).toBe(23);
    expect(text).toContain('long, expired 1h0m ago');
    expect(text).toContain('long, expires in ');
    expect(text).not.toMatch(/expires \w+ ago|expired in/);
    expect(text).toContain('No root the chain leads to no root that is listed and valid');
    expect(text).toMatch(/Root [0-9a-f]{12} O=cluster\.local, CN=Root CA/);
  });
});

test('certs has a row for each certificate, with its reason below', () => {
  const { text } = parse(pages.certs);
  expect(count(pages.certs, 'tbody')).toBe(28);
  expect(text).toContain(
    '27 certificates on 3 of 3 ztunnels, 1 missing: 15 OK, 7 critical, 4 warnings, 2 information.',
  );
  expect(text).toContain(
    'caller is not authorized to impersonate spiffe://cluster.local/ns/shop/sa/payments',
  );
});

test('check has a row for each finding, with what to do', () => {
  expect(parse(pages.check).text).toMatch(/CA-DENIED[\s\S]*Read the CA's own approval policy/);
});

test('a bar is where the dates are: half and end of a life that is half over', async () => {
  const { stdout } = await ask('certs --status RENEWAL-OVERDUE --sort-by node');
  const [bar] = parse(stdout).elements.filter(({ attributes }) => attributes.class === 'bar');
  const x = (kind: string) =>
    parse(stdout).elements.flatMap(({ name, attributes }) =>
      name === 'line' && attributes.class === kind ? [Number(attributes.x1)] : [],
    )[0]!;
  // From 16 hours before to 8 hours after: now at two thirds, half before it, the end at the edge.
  expect(bar?.attributes).toMatchObject({ x: '0', width: '1000' });
  expect([x('half'), x('now'), x('end')]).toEqual([500, 666.7, 1000]);
});

test('--group-by has the groups in its table', async () => {
  const { stdout } = await ask('certs --group-by root');
  expect(parse(stdout).text).toContain('FIRST EXPIRES');
  expect(count(stdout, 'svg')).toBe(23);
});

test('says what is not known', async () => {
  const scenario = { ...(await demo(at)), clock: { at } };
  const broken = await startMesh(scenario, { namespace: 'shop' });
  const node = 'ip-10-0-12-34.eu-west-1.compute.internal';
  broken.misbehave(ztunnelOn(scenario, node), { how: 'error-channel' });
  const env = { KUBECONFIG: broken.writeKubeconfig(folder) };
  const { stdout, code } = await run('certs -o html', { clock: new Date(at), env });
  await broken.close();
  expect(parse(stdout).text).toMatch(/What is not known[\s\S]*error: ztunnel-\w+ on node ip-10-0-12-34/);
  expect(code).toBe(1);
});

const HOSTILE = '"\'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;\u202e\u001b[2J\u0000';

function hostileDump(): string {
  const file = path.join(folder, 'hostile.json');
  const certificates = [{ identity: HOSTILE, state: `Unavailable: ${HOSTILE}`, certChain: [] }];
  writeFileSync(file, dumpText({ certificates, config: { localNode: HOSTILE }, workloads: [] }));
  return file;
}

test.each(['certs', 'check'])('%s: text from outside stays text', async (command) => {
  const { stdout } = await run([command, '-f', hostileDump(), '-o', 'html'], { clock: new Date(at) });
  const { elements, text } = parse(stdout);
  expect(elements.filter(({ name }) => name === 'script' || name === 'img')).toEqual([]);
  expect(text).toContain('<script>alert(1)</script>');
  expect(stdout).not.toMatch(/[\u202e\u001b\u0000]/);
});

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browser = BROWSERS.find((file) => existsSync(file));

/** What a browser makes of a page; `flags` say what is wanted of it. */
async function browse(page: string, flags: readonly string[]): Promise<string> {
  const file = path.join(folder, 'page.html');
  writeFileSync(file, page);
  const fixed = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync'.split(
    ' ',
  );
  const offline = ['--disable-background-networking', '--disable-component-update'];
  const profile = `--user-data-dir=${mkdtempSync(path.join(folder, 'profile-'))}`;
  const { stdout } = await promisify(execFile)(
    browser!,
    [...fixed, ...offline, profile, ...flags, `file://${file}`],
    { maxBuffer: 64 * 1024 * 1024, timeout: 60_000, env: unmoved(process.env) },
  );
  return stdout;
}

(browser === undefined ? describe.skip : describe)('in a browser (skipped where none is installed)', () => {
  test('it is shown, by light and in the dark, and they differ', async () => {
    const shots = ['light', 'dark'].map((name) => path.join(folder, `${name}.png`));
    const size = '--window-size=1000,800';
    await browse(pages.certs, [`--screenshot=${shots[0]}`, size, '--blink-settings=preferredColorScheme=1']);
    await browse(pages.certs, [`--screenshot=${shots[1]}`, size, '--blink-settings=preferredColorScheme=0']);
    const [light, dark] = shots.map((file) => readFileSync(file));
    expect(light!.subarray(1, 4).toString()).toBe('PNG');
    expect(light!.length).toBeGreaterThan(20_000);
    expect(dark!.equals(light!)).toBe(false);
  }, 120_000);

  test('its own parser finds what was meant, and no more', async () => {
    const { stdout } = await run(['certs', '-f', hostileDump(), '-o', 'html'], { clock: new Date(at) });
    const dom = await browse(stdout, ['--dump-dom']);
    expect(dom).toContain('&lt;script&gt;');
    expect(dom).not.toMatch(/<script|<img/);
  }, 60_000);

  test('it can be printed', async () => {
    const file = path.join(folder, 'page.pdf');
    await browse(pages.check, [`--print-to-pdf=${file}`]);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
  }, 60_000);
});
