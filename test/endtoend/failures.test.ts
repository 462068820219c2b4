// What is said when a real API server, kubelet or pod fails: each ztunnel by itself.

import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openApi } from './api.ts';
import { type ControlPlane, startControlPlane } from './controlplane.ts';
import { FAULTY, NODE_GONE, NODE_WITHOUT_KUBELET, NODES } from './mesh.ts';
import { ztunnel } from './program.ts';
import { type ApiProxy, startApiProxy } from './proxy.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();
const SELECTOR = `--ztunnel-selector app=${FAULTY.labels.app}`;

let proxy: ApiProxy | undefined;
let own: ControlPlane | undefined;
afterEach(async () => {
  proxy?.close();
  await own?.stop();
});

describe('ztunnels that fail', () => {
  test('each say what is wrong, and what to do', async () => {
    const { code, stdout, stderr } = await ztunnel(
      `certs --kubeconfig ${plane.kubeconfig} --context reader ${SELECTOR} --timeout 3s`,
    );
    const line = (pod: string, node: string, words: string) =>
      expect.stringMatching(
        new RegExp(`^error: ztunnel ${pod} in namespace faulty on node ${node}: .*${words}`),
      );
    expect(stderr.split('\n').filter((text) => text.startsWith('error: '))).toEqual([
      line('gone-from-kubelet', NODES[0], 'pod does not exist'),
      line('hangs', NODES[0], 'no answer within 3 s: the port-forward was opened, but nothing was answered'),
      line(
        'no-kubelet',
        NODE_WITHOUT_KUBELET,
        'connection refused; the node is dead: .*kubectl describe node',
      ),
      line('no-node', NODE_GONE, 'not found'),
      line(
        'refuses',
        NODES[0],
        'nothing listens on port 15000 of the pod: .*connection refused.*--proxy-admin-port',
      ),
    ]);
    expect(stdout).not.toContain('OK');
    expect(code).toBe(1);
  });

  test('because they were deleted after they had been listed, do not stop the others', async () => {
    const api = openApi(plane);
    const pods = '/api/v1/namespaces/faulty/pods';
    const labels = { app: 'ztunnel-doomed' };
    const spec = { nodeName: NODES[0], containers: [{ name: 'main', image: 'registry.example/app:1' }] };
    await api.create(pods, { metadata: { name: 'doomed', labels }, spec });
    await api.patch(`${pods}/doomed/status`, { status: { phase: 'Running' } });
    proxy = await startApiProxy(plane, async ({ url = '' }) => {
      if (url.includes('/pods/doomed/portforward')) await api.remove(`${pods}/doomed`);
    });
    const selector = 'app in (ztunnel,ztunnel-doomed)';
    const { code, stdout, stderr } = await ztunnel(
      ['certs', '-s', proxy.url, '--ztunnel-selector', selector],
      {
        env: { HOME: '/none' },
      },
    );
    api.close();
    expect(stderr.split('\n').filter((text) => text.startsWith('error: '))).toEqual([
      expect.stringMatching(
        /^error: ztunnel doomed in namespace faulty on node node-a: .*pods "doomed" not found.* The pod was deleted meanwhile/,
      ),
    ]);
    expect(stderr).toContain('on 4 of 5 ztunnels');
    expect(stdout).toContain('edge/gateway');
    expect(code).toBe(1);
  });
});

describe('an API server that dies', () => {
  test('while a ztunnel is waited for, is said at once, and from then on nothing answers', async () => {
    own = await startControlPlane(plane.binary);
    const { announcement, kill } = own;
    const api = openApi(announcement);
    await api.create('/api/v1/nodes', { metadata: { name: 'n' } });
    await api.patch('/api/v1/nodes/n/status', {
      status: {
        addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
        daemonEndpoints: { kubeletEndpoint: { Port: announcement.kubeletPort } },
      },
    });
    const spec = { nodeName: 'n', containers: [{ name: 'main', image: 'registry.example/app:1' }] };
    const pods = '/api/v1/namespaces/default/pods';
    await api.create(pods, { metadata: { name: 'z', labels: { app: 'ztunnel' } }, spec });
    await api.patch(`${pods}/z/status`, { status: { phase: 'Running' } });
    writeFileSync(announcement.backends, JSON.stringify({ 'default/z': { '15000': 'hang' } }));
    proxy = await startApiProxy(announcement, async ({ url = '' }) => {
      // The forward is open soon after; the ztunnel behind it never answers.
      if (url.includes('/portforward')) setTimeout(kill, 1000);
    });
    const during = await ztunnel(['certs', '-s', proxy.url, '--timeout', '50s'], { env: { HOME: '/none' } });
    expect(during.stderr).toMatch(
      /^error: ztunnel z in namespace default on node n: .*connection to the API server broke off/m,
    );
    expect([during.code, during.stdout]).toEqual([1, '']);
    const after = await ztunnel(['certs', '--kubeconfig', announcement.kubeconfig]);
    expect(after.stderr).toMatch(/^error: the API server https:\S+ refuse[sd] .*connection.*\n$/);
    expect([after.code, after.stdout]).toEqual([1, '']);
  });
});
