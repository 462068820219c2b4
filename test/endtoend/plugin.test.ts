// The program as a plugin of kubectl's, where kubectl is installed.

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROGRAM } from '../executable.ts';
import { hasKubectl, kubectlFolder } from './kubectl.ts';
import { kubectl, ztunnel } from './program.ts';
import { controlPlane } from './surroundings.ts';

const { kubeconfig } = controlPlane();

let folder: string;
let env: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ztunnel-plugin-'));
  symlinkSync(PROGRAM, path.join(folder, 'kubectl-ztunnel'));
  env = { HOME: folder, KUBECONFIG: kubeconfig, PATH: `${folder}:${process.env.PATH}` };
});
afterAll(() => rmSync(folder, { recursive: true }));

const withKubectl = hasKubectl() ? describe : describe.skip;

withKubectl('through kubectl', () => {
  test('certs is the same as without it', async () => {
    const argv = 'certs -o name --context reader';
    const [through, plain] = await Promise.all([kubectl(`ztunnel ${argv}`, { env }), ztunnel(argv, { env })]);
    expect(through).toEqual(plain);
    expect(through.stdout).toContain('spiffe://cluster.local/ns/shop/sa/cart\n');
    expect(through.code).toBe(0);
  });

  test('exit codes come through', async () => {
    expect(await kubectl('ztunnel certs --context stranger', { env })).toMatchObject({ code: 1, stdout: '' });
  });

  test('is listed as a plugin without a warning', async () => {
    const { code, stdout, stderr } = await kubectl('plugin list', {
      env: { ...env, PATH: `${folder}:${kubectlFolder()}` },
    });
    expect(stdout).toContain(path.join(folder, 'kubectl-ztunnel'));
    expect(stdout + stderr).not.toMatch(/warning|overshadow|not executable/i);
    expect(code).toBe(0);
  });
});
