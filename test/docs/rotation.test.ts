// docs/rotation.md, tried on the embedded mesh from first to last: what it shows is what the program prints.

import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { authoritiesAt } from '../mesh/authorities.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { AT, type RotationStep, rotationAt } from '../mesh/rotation.ts';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

/** `UPDATE_GOLDENS=1` writes what the program prints into the page. */
const UPDATE = process.env.UPDATE_GOLDENS === '1';
const page = path.resolve(import.meta.dirname, '../../docs/rotation.md');
const directory = temporaryDirectory();

/** Which state of the mesh is shown below which heading. */
const STATES: Readonly<Record<string, RotationStep>> = {
  '## Before': 'before',
  '## 1. Add the new root to the trust bundle': 'bundled',
  "### If you don't wait": 'hasty',
  '## 2. Sign with the new root': 'trusted',
  '## 3. Wait until none presents the old root': 'signed',
  '## 4. Drop the old root': 'dropped',
};
/** After the first command of step 2 the CA signs with the new root. */
const SIGNING = { heading: '## 2. Sign with the new root', from: 1, step: 'signing' } as const;

/** As the page names the two roots. */
const [OLD, NEW] = ['1f2e3d4c5b6a', '3f8a01c2d4e5'] as const;

const fingerprintOf = ({ pem }: { readonly pem: string }) =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

const open: Mesh[] = [];
let roots: readonly (readonly [shown: string, real: string])[];
beforeAll(async () => {
  const { root, nextRoot } = await authoritiesAt(AT);
  roots = [
    [OLD, fingerprintOf(root.certificate).slice(0, OLD.length)],
    [NEW, fingerprintOf(nextRoot.certificate).slice(0, NEW.length)],
  ];
});
afterAll(() => Promise.all(open.map((mesh) => mesh.close())));

const kubeconfigs = new Map<RotationStep, string>();
async function kubeconfigOf(step: RotationStep): Promise<string> {
  const known = kubeconfigs.get(step);
  if (known !== undefined) return known;
  const mesh = await startMesh(await rotationAt(step), { namespace: 'shop' });
  open.push(mesh);
  const file = path.join(directory, `${step}.kubeconfig`);
  writeFileSync(file, mesh.kubeconfig);
  kubeconfigs.set(step, file);
  return file;
}

const swap = (text: string, from: 0 | 1): string =>
  roots.reduce((swapped, pair) => swapped.replaceAll(pair[from], pair[1 - from]!), text);

/** What a terminal of 120 columns shows, the program's messages after its data. */
async function shown(line: string, step: RotationStep): Promise<string> {
  const words = swap(line, 0)
    .split(' ')
    .map((word) => (word.endsWith('.tar.gz') ? path.join(directory, word) : word));
  const outcome = await run([...words, '--kubeconfig', await kubeconfigOf(step), '--no-color'], {
    clock: new Date(AT),
    terminal: { columns: 120, rows: 60 },
    env: { NO_COLOR: '1' },
  });
  const text = swap(outcome.stdout + outcome.stderr, 1)
    .replaceAll(`${directory}/`, '')
    // How far asking has come, drawn and wiped.
    .replaceAll(/\r?\x1b\[K(?:\d+\/\d+ ztunnels)?/g, '')
    // Signatures are a byte or two longer or shorter each time.
    .replaceAll(/\.\d kB/g, '.3 kB')
    .replaceAll(/before\.tar\.gz, \d+/g, 'before.tar.gz, 7')
    // Each leaf's own.
    .replaceAll(/serial [0-9A-F]+ → [0-9A-F]+/g, 'serial 0A… → 0B…');
  const lines = text.split('\n').map((each) => each.trimEnd());
  return `$ kubectl ztunnel ${line}\n${lines.join('\n')}${outcome.code === 0 ? '' : `(exit code ${outcome.code})\n`}`;
}

const COMMAND = /^```sh\nkubectl ztunnel ([^\n]*)\n```\n(?:\n```text\n[^`]*```\n)?/gm;

test('every output on the page is what the program prints', async () => {
  const text = readFileSync(page, 'utf8');
  const headings = Object.keys(STATES);
  expect(headings.filter((heading) => !text.includes(`${heading}\n`))).toEqual([]);
  let made = '';
  for (const section of text.split(/^(?=##)/m)) {
    const heading = section.slice(0, section.indexOf('\n'));
    const commands = [...section.matchAll(COMMAND)];
    let at = 0;
    for (const [index, match] of commands.entries()) {
      const isSigning = heading === SIGNING.heading && index >= SIGNING.from;
      const step = isSigning ? SIGNING.step : STATES[heading];
      expect([heading, step === undefined]).toEqual([heading, false]);
      const block = `\`\`\`sh\nkubectl ztunnel ${match[1]}\n\`\`\`\n\n\`\`\`text\n${await shown(match[1]!, step!)}\`\`\`\n`;
      made += section.slice(at, match.index) + block;
      at = match.index + match[0].length;
    }
    made += section.slice(at);
  }
  if (UPDATE) writeFileSync(page, made);
  expect(readFileSync(page, 'utf8')).toBe(made);
}, 120_000);
