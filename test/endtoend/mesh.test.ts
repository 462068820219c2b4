// What the program shows of the seeded mesh: every kind of owner, two DaemonSets of ztunnels, statuses that need the API.

import { describe, expect, test } from '@jest/globals';
import { expectGolden } from '../golden.ts';
import { ztunnel } from './program.ts';
import { controlPlane } from './surroundings.ts';

const { kubeconfig, at } = controlPlane();
const ask = (argv: string) => ztunnel(`${argv} --kubeconfig ${kubeconfig} --context reader`);

describe('the seeded mesh', () => {
  test('as certs shows it', async () => {
    const { code, stdout, stderr } = await ask(`certs --now ${at}`);
    expectGolden('endtoend', 'certs', stdout);
    expect([code, stderr]).toEqual([0, '9 certificates on 4 of 4 ztunnels, 1 missing: 7 OK, 3 critical.\n']);
  });

  test('as workloads shows it', async () => {
    const { code, stdout } = await ask(`workloads -o wide --now ${at}`);
    expectGolden('endtoend', 'workloads', stdout);
    expect(code).toBe(0);
  });

  test('is judged by the time of the API server', async () => {
    const { stdout } = await ask('certs -o json');
    expect(JSON.parse(stdout).reference).toEqual({ time: expect.any(String), source: 'api-server' });
  });

  test('names the ztunnels of both DaemonSets', async () => {
    const { stdout } = await ask('certs -o json');
    const items = JSON.parse(stdout).items as readonly {
      ztunnel: { namespace: string; name: string } | null;
    }[];
    const namespaces = new Set(items.map(({ ztunnel: from }) => from?.namespace));
    expect([...namespaces].sort()).toEqual(['istio-system', 'kube-system', undefined]);
  });
});
