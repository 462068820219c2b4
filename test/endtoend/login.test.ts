// Logging in by ways that have something to show: credential plugins, proxies, service accounts, servers without TLS.

import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadInCluster } from '../../src/sources/kubeconfig/kubeconfigfiles.ts';
import { selectConnection } from '../../src/sources/kubernetes/connection.ts';
import { fetchAnswer } from '../../src/sources/kubernetes/request.ts';
import { openTransport } from '../../src/sources/kubernetes/transport.ts';
import { openApi } from './api.ts';
import { hasKubectl, whoami } from './kubectl.ts';
import { clusterOf, kubeconfigOf, loginAs, openPlace, type Place, tokenOf } from './place.ts';
import { kubectl, ztunnel } from './program.ts';
import { startApiProxy, startConnectProxy, startSilence } from './proxy.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();
const { port } = new URL(plane.server);
const withKubectl = hasKubectl() ? test : test.skip;

let place: Place;
let ends: (() => void)[];
beforeEach(() => {
  place = openPlace(plane);
  ends = [() => place.remove()];
});
afterEach(() => {
  for (const end of ends) end();
});

async function started<T extends { close(): void }>(proxy: Promise<T>): Promise<T> {
  const running = await proxy;
  ends.push(() => running.close());
  return running;
}

describe('a credential plugin', () => {
  const V1 = 'client.authentication.k8s.io/v1';

  /** A script that notes each run and prints what it is told to. */
  function pluginUser(prints: string, exitCode = 0): { readonly user: object; readonly runs: () => number } {
    const notes = path.join(place.directory, 'runs');
    const answer = place.write('answer', prints);
    const script = `#!/bin/sh\necho run >> '${notes}'\ncat '${answer}'\nexit ${exitCode}\n`;
    chmodSync(place.write('login', script), 0o700);
    return {
      user: { exec: { apiVersion: V1, command: './login', interactiveMode: 'Never' } },
      runs: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n').length : 0),
    };
  }
  const credential = (token: string) =>
    JSON.stringify({ apiVersion: V1, kind: 'ExecCredential', status: { token } });

  test('runs once, however many lists and ztunnels are asked', async () => {
    const { user, runs } = pluginUser(credential(plane.tokens.reader!));
    const config = place.write('config', kubeconfigOf(clusterOf(plane), user));
    const { code, stderr } = await ztunnel(['certs', '--kubeconfig', config]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('on 4 of 4 ztunnels')]);
    expect(runs()).toBe(1);
  });

  withKubectl('logs kubectl in as the same user', async () => {
    const { user } = pluginUser(credential(plane.tokens.stranger!));
    const config = place.write('config', kubeconfigOf(clusterOf(plane), user));
    const env = { HOME: place.directory };
    const argv = ['--kubeconfig', config];
    const [ours, kubectls] = await Promise.all([ztunnel(['certs', ...argv], { env }), whoami(argv, env)]);
    expect(ours.stderr).toContain('User "stranger" cannot list resource "pods"');
    expect(kubectls).toMatchObject({ identity: { username: 'stranger' } });
  });

  test('that fails is told, and what it printed is not repeated', async () => {
    const { user, runs } = pluginUser(credential('s3cret'), 3);
    const config = place.write('config', kubeconfigOf(clusterOf(plane), user));
    const { code, stdout, stderr } = await ztunnel(['certs', '--kubeconfig', config]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: the credential plugin "\S+login" ended with exit code 3\. .+\n$/);
    expect(stderr).not.toContain('s3cret');
    expect(runs()).toBe(1);
  });
});

describe('a server without TLS', () => {
  test('as kubectl proxy is one, is sent no credential and is read whole', async () => {
    const proxy = await started(startApiProxy(plane));
    const config = place.write('config', kubeconfigOf({ server: proxy.url }, tokenOf(plane, 'stranger')));
    const { code, stderr } = await ztunnel(['certs', '--kubeconfig', config]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('on 4 of 4 ztunnels')]);
    expect(proxy.requests.filter((line) => line.includes('/portforward'))).toHaveLength(4);
    expect(proxy.credentials).toEqual([]);
  });

  withKubectl('is the same server to kubectl', async () => {
    const proxy = await started(startApiProxy(plane));
    const config = place.write('config', kubeconfigOf({ server: proxy.url }, tokenOf(plane, 'stranger')));
    const found = await whoami(['--kubeconfig', config], { HOME: place.directory });
    expect(found).toMatchObject({ identity: { username: 'admin' } });
    expect(proxy.credentials).toEqual([]);
  });

  test('that never answers is given up after --request-timeout, by kubectl too', async () => {
    const silence = await started(startSilence());
    const argv = ['-s', silence.url, '--request-timeout', '1s'];
    const ours = await ztunnel(['certs', ...argv], { env: { HOME: place.directory } });
    expect(ours).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: the API server http:\S+ did not answer within 1 s\. .+\n$/),
    });
    if (!hasKubectl()) return;
    const kubectls = await kubectl(['get', 'pods', ...argv], { env: { HOME: place.directory } });
    expect(kubectls.stderr).toMatch(/Timeout|deadline exceeded/);
  });
});

describe('a proxy for CONNECT', () => {
  test.each([
    ['proxy-url of the kubeconfig', plane.server, {}, true],
    ['HTTPS_PROXY', `https://controlplane.test:${port}`, { HTTPS_PROXY: 'PROXY' }, true],
    ['https_proxy', `https://controlplane.test:${port}`, { https_proxy: 'PROXY' }, true],
    ['HTTPS_PROXY, which loopback is never asked through', plane.server, { HTTPS_PROXY: 'PROXY' }, false],
  ] as const)('by %s', async (name, server, variables, proxied) => {
    const proxy = await started(startConnectProxy());
    const cluster = clusterOf(plane, {
      server,
      ...(name.startsWith('proxy-url') && { 'proxy-url': proxy.url }),
    });
    const config = place.write('config', kubeconfigOf(cluster, tokenOf(plane, 'reader')));
    const env = {
      HOME: place.directory,
      ...Object.fromEntries(Object.keys(variables).map((key) => [key, proxy.url])),
    };
    const { code, stderr } = await ztunnel(['certs', '--kubeconfig', config], { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining('on 4 of 4 ztunnels')]);
    expect([...new Set(proxy.targets)]).toEqual(proxied ? [new URL(server).host] : []);
    if (!hasKubectl()) return;
    const before = proxy.targets.length;
    expect(await whoami(['--kubeconfig', config], env)).toMatchObject({ identity: { username: 'reader' } });
    expect(proxy.targets.length > before).toBe(proxied);
  });

  test('is passed by for the hosts of NO_PROXY', async () => {
    const proxy = await started(startConnectProxy());
    const server = `https://controlplane.test:${port}`;
    const config = place.write(
      'config',
      kubeconfigOf(clusterOf(plane, { server }), tokenOf(plane, 'reader')),
    );
    const env = { HOME: place.directory, HTTPS_PROXY: proxy.url, NO_PROXY: 'example.org,.test' };
    const ours = await ztunnel(['certs', '--kubeconfig', config], { env });
    expect(ours.stderr).toMatch(/^error: the API server https:\/\/controlplane\.test:\d+ .*\n$/);
    if (hasKubectl()) {
      expect(await whoami(['--kubeconfig', config], env)).toEqual({
        refusal: expect.stringMatching(/lookup|dial/),
      });
    }
    expect(proxy.targets).toEqual([]);
  });

  test('that is not there is told without its password', async () => {
    const cluster = clusterOf(plane, { 'proxy-url': 'http://me:s3cret@127.0.0.1:1' });
    const config = place.write('config', kubeconfigOf(cluster, tokenOf(plane, 'reader')));
    const { code, stderr } = await ztunnel(['certs', '--kubeconfig', config]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).not.toContain('s3cret');
  });
});

describe('in a pod', () => {
  test('its service account logs in, by the token that the file holds now', async () => {
    const api = openApi(plane);
    const account = '/api/v1/namespaces/shop/serviceaccounts/web';
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { status } = await api.create(`${account}/token`, review);
    api.close();
    place.write('token', (status as { token: string }).token);
    place.write('namespace', 'shop');
    place.write('ca.crt', readFileSync(plane.caFile, 'utf8'));
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: port };
    const config = await loadInCluster(env, place.directory);
    const connection = selectConnection(config!, {});
    const transport = await openTransport(connection, env);
    const bounds = { connectTimeoutMs: 10_000, requestTimeoutMs: 10_000 };
    const answer = await fetchAnswer(transport, '/api/v1/pods', { Accept: 'application/json' }, bounds);
    transport.agent.destroy();
    expect(connection.namespace).toBe('shop');
    expect(answer.status).toBe(403);
    expect(Buffer.from(answer.body).toString()).toContain(
      'User \\"system:serviceaccount:shop:web\\" cannot list',
    );
  });

  test('a kubeconfig counts more than the service account', async () => {
    const config = place.write('config', loginAs(plane, 'stranger'));
    const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1', KUBECONFIG: config };
    const { stderr } = await ztunnel('certs', { env });
    expect(stderr).toContain('User "stranger" cannot list');
  });
});
