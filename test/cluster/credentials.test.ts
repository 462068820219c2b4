// Tests of who the API server is told we are: tokens, plugins, impersonation, proxies.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Cluster } from '../../src/sources/cluster.ts';
import type { ExecEntry } from '../../src/sources/kubeconfig/kubeconfigentry.ts';
import { parseExecCredential } from '../../src/sources/kubernetes/execplugin.ts';
import type { KubeOptions } from '../../src/sources/kubernetes/kube.ts';
import { type Mesh, startMesh } from '../mesh/mesh.ts';
import { temporaryDirectory } from '../temporary.ts';
import { isOneSentence, told } from './failure.ts';
import { clusterOf, connectTo, kubeconfigOf, readWhole, SELECTOR, smallScenario } from './meshcluster.ts';

const V1 = 'client.authentication.k8s.io/v1';
const ALL = { selector: SELECTOR, namespace: undefined };
const directory = temporaryDirectory();
let mesh: Mesh;
beforeAll(async () => {
  mesh = await startMesh(await smallScenario());
});
afterAll(() => mesh.close());

const asUser = (user: object, options: Partial<KubeOptions> = {}): Promise<Cluster> =>
  connectTo(kubeconfigOf(clusterOf(mesh), user), options);

/** A plugin that notes each run in `<name>.runs` and then runs this JavaScript. */
function plugin(name: string, script: string, more: object = {}): object {
  const file = path.join(directory, `${name}.mjs`);
  const note = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(runsOf(name))}, 'x');`;
  writeFileSync(file, `${note}\n${script}`);
  return {
    exec: { apiVersion: V1, command: process.execPath, args: [file], interactiveMode: 'Never', ...more },
  };
}
const runsOf = (name: string) => path.join(directory, `${name}.runs`);
const answer = (status: object, apiVersion = V1) =>
  `console.log(${JSON.stringify(JSON.stringify({ kind: 'ExecCredential', apiVersion, status }))});`;

describe('a token', () => {
  test('of the kubeconfig is accepted', async () => {
    const cluster = await asUser({ token: 'mesh-token' });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });

  test('of a file is read, without its line end, and wins over one in the kubeconfig', async () => {
    const tokenFile = path.join(directory, 'token');
    writeFileSync(tokenFile, 'mesh-token\n');
    const cluster = await asUser({ tokenFile, token: 'wrong' });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });

  test('of a missing file is told', async () => {
    const cluster = await asUser({ tokenFile: path.join(directory, 'none') });
    const error = await told(cluster.list('pods'));
    expect(error.message).toContain(`the token file ${path.join(directory, 'none')} can't be read`);
    expect(isOneSentence(error)).toBe(true);
  });

  test('that is refused is told, and not shown', async () => {
    const cluster = await asUser({ token: 'very-secret' });
    const error = await told(cluster.list('pods'));
    expect(error.message).toContain('does not accept the credentials');
    expect(JSON.stringify(error)).not.toContain('very-secret');
    await cluster.close();
  });

  test('replaced in its file while the program runs is read again on a 401', async () => {
    const tokenFile = path.join(directory, 'rotated');
    writeFileSync(tokenFile, 'expired');
    const cluster = await asUser({ tokenFile });
    await told(cluster.list('pods'));
    writeFileSync(tokenFile, 'mesh-token');
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });
});

describe('the auth provider oidc', () => {
  const oidc = (config: object) => ({ 'auth-provider': { name: 'oidc', config } });

  test('gives its token as it is: whether it has run out is for the server to say', async () => {
    const cluster = await asUser(oidc({ 'id-token': 'mesh-token', 'refresh-token': 'very-secret' }));
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });

  test.each([
    [
      'with a token that has run out',
      { 'id-token': 'old', 'refresh-token': 'x' },
      'does not accept the credentials',
    ],
    [
      'without a token',
      { 'refresh-token': 'very-secret' },
      'has the auth provider oidc, but no id-token yet',
    ],
  ])('%s is told', async (_, config, says) => {
    const cluster = await asUser(
      oidc({ 'idp-issuer-url': 'https://127.0.0.1:1', 'client-id': 'x', ...config }),
    );
    const error = await told(cluster.list('pods'));
    expect(error.message).toContain(says);
    expect(error.hint).toContain('`kubectl auth whoami`');
    expect(JSON.stringify(error)).not.toContain('very-secret');
    await cluster.close();
  });

  test('is not needed where a token is there already', async () => {
    const cluster = await asUser({ token: 'mesh-token', ...oidc({}) });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });
});

describe('a credential plugin', () => {
  test('runs once for many requests at once, and its token is used for lists and forwards', async () => {
    const cluster = await asUser(plugin('once', answer({ token: 'mesh-token' })));
    const [ztunnels] = await Promise.all([
      cluster.findZtunnels(ALL),
      cluster.list('pods'),
      cluster.list('jobs'),
      cluster.list('leases'),
    ]);
    await Promise.all(ztunnels.map((ztunnel) => readWhole(cluster, ztunnel)));
    expect(readFileSync(runsOf('once'), 'utf8')).toBe('x');
    await cluster.close();
  });

  test('is told what it is for, gets its own environment, and finds nothing on stdin', async () => {
    const file = path.join(directory, 'told.json');
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs';
      const stdin = readFileSync(0, 'utf8');
      writeFileSync(${JSON.stringify(file)}, JSON.stringify({ stdin, region: process.env.REGION, profile: process.env.PROFILE, info: JSON.parse(process.env.KUBERNETES_EXEC_INFO) }));
      ${answer({ token: 'mesh-token' })}`;
    const user = plugin('told', script, { env: [{ name: 'REGION', value: 'eu' }], provideClusterInfo: true });
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } }];
    const cluster = await connectTo(kubeconfigOf({ ...clusterOf(mesh), extensions }, user), {
      env: { PROFILE: 'p' },
    });
    await cluster.list('pods');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      stdin: '',
      region: 'eu',
      profile: 'p',
      info: {
        kind: 'ExecCredential',
        apiVersion: V1,
        spec: { interactive: false, cluster: { ...clusterOf(mesh), config: { audience: 'me' } } },
      },
    });
    await cluster.close();
  });

  test('is told the authority that the kubeconfig names as a file', async () => {
    const { server, 'certificate-authority-data': data } = clusterOf(mesh) as Record<string, string>;
    const [caFile, infoFile] = [path.join(directory, 'ca.crt'), path.join(directory, 'info.json')];
    writeFileSync(caFile, Buffer.from(data!, 'base64'));
    const script = `
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(infoFile)}, process.env.KUBERNETES_EXEC_INFO);
      ${answer({ token: 'mesh-token' })}`;
    const named = { server, 'certificate-authority': caFile };
    const cluster = await connectTo(
      kubeconfigOf(named, plugin('file', script, { provideClusterInfo: true })),
    );
    await cluster.list('pods');
    const { spec } = JSON.parse(readFileSync(infoFile, 'utf8')) as { spec: { cluster: object } };
    expect(spec.cluster).toMatchObject({ 'certificate-authority-data': data });
    await cluster.close();
  });

  test('is not run where a token is there already', async () => {
    const cluster = await asUser({ token: 'mesh-token', ...plugin('unneeded', 'process.exit(1)') });
    expect(await cluster.findZtunnels(ALL)).toHaveLength(2);
    await cluster.close();
  });

  test.each([
    ['failing', 'process.exit(3)', {}, 'ended with exit code 3'],
    ['silent', '', {}, 'printed something else than an ExecCredential'],
    ['garbage', 'console.log("very-secret")', {}, 'printed something else than an ExecCredential'],
    ['empty', answer({}), {}, 'gave neither a token nor a certificate with its key'],
    [
      'half',
      answer({ clientCertificateData: 'x' }),
      {},
      'gave neither a token nor a certificate with its key',
    ],
    ['older', answer({ token: 't' }, `${V1}beta1`), {}, `answered in another version than ${V1}`],
    [
      'endless',
      'const more = () => process.stdout.write("x".repeat(65536), more); more();',
      {},
      'printed more than 1 MiB',
    ],
    ['alpha', '', { apiVersion: `${V1}alpha1` }, 'is not supported'],
    ['absent', '', { command: '/no/such/plugin', installHint: 'Get it from the shop.' }, 'is not installed'],
  ])('that is %s is told', async (name, script, more, message) => {
    const cluster = await asUser(plugin(name, script, more));
    const error = await told(cluster.list('pods'));
    expect(error.message).toContain(message);
    expect(isOneSentence(error)).toBe(true);
    expect(JSON.stringify(error)).not.toContain('very-secret');
    if (name === 'absent') expect(error.hint).toBe('Get it from the shop.');
  });

  test('may give a certificate and key', () => {
    const status = {
      clientCertificateData: 'CERT',
      clientKeyData: 'KEY',
      expirationTimestamp: '2030-01-01T00:00:00Z',
    };
    const printed = JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status });
    expect(parseExecCredential(printed, { apiVersion: V1 } as ExecEntry)).toEqual({
      token: undefined,
      certificate: 'CERT',
      key: 'KEY',
    });
  });
});

test('an auth provider that no longer exists is told', async () => {
  const cluster = await asUser({ 'auth-provider': { name: 'gcp', config: {} } });
  const error = await told(cluster.list('pods'));
  expect(error.message).toContain('auth provider "gcp"');
  expect(isOneSentence(error)).toBe(true);
});

describe('what is sent', () => {
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader('content-type', 'application/json');
    response.end('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}');
  });
  const seen: IncomingHttpHeaders[] = [];
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('over http:// (kubectl proxy) is no credential, but who is impersonated', async () => {
    const user = {
      token: 'secret',
      username: 'u',
      password: 'p',
      as: 'jo',
      'as-uid': 'u1',
      'as-groups': ['a', 'b'],
    };
    const cluster = await connectTo(
      kubeconfigOf({ server: url }, { ...user, 'as-user-extra': { 'x/y': ['1', '2'] } }),
    );
    await cluster.list('pods');
    expect(seen.at(-1)).toMatchObject({
      'impersonate-user': 'jo',
      'impersonate-uid': 'u1',
      'impersonate-group': 'a, b',
      'impersonate-extra-x%2fy': '1, 2',
      'user-agent': 'kubectl-ztunnel',
    });
    expect(seen.at(-1)?.authorization).toBeUndefined();
    await cluster.close();
  });

  test('goes through HTTPS_PROXY where the environment names one, and it is told when the proxy refuses', async () => {
    const targets: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      targets.push(request.url ?? '');
      socket.on('error', () => {});
      if (targets.length > 2) return void socket.end('HTTP/1.1 407 Authentication Required\r\n\r\n');
      const { port } = new URL(mesh.url);
      const upstream = connectTcp(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { port } = new URL(mesh.url);
    const behind = {
      ...clusterOf(mesh),
      server: `https://kube.invalid:${port}`,
      'tls-server-name': 'localhost',
    };
    const cluster = await connectTo(kubeconfigOf(behind, { token: 'mesh-token' }), {
      env: { HTTPS_PROXY: proxyUrl },
    });
    const [ztunnel] = await cluster.findZtunnels(ALL);
    expect(await readWhole(cluster, ztunnel!)).toContain('certificates');
    expect(new Set(targets)).toEqual(new Set([`kube.invalid:${port}`]));
    const refused = await connectTo(
      kubeconfigOf({ ...behind, 'proxy-url': proxyUrl }, { token: 'mesh-token' }),
    );
    targets.push('', '');
    expect((await told(refused.list('pods'))).message).toContain('407');
    await Promise.all([cluster.close(), refused.close()]);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
});

describe('a proxy', () => {
  const through = (proxy: string) =>
    connectTo(kubeconfigOf({ ...clusterOf(mesh), 'proxy-url': proxy }, { token: 'mesh-token' }));

  test('that does not answer is told apart from a server that does not, without its password', async () => {
    // Nothing listens on port 1.
    for (const scheme of ['http', 'socks5']) {
      const cluster = await through(`${scheme}://me:very-secret@127.0.0.1:1`);
      const { message } = await told(cluster.list('pods'));
      expect(message).toMatch(`the API server ${mesh.url} (through the proxy ${scheme}://127.0.0.1:1) `);
      expect(message).not.toContain('very-secret');
      await cluster.close();
    }
  });

  test.each(['127.0.0.1:3128', 'ftp://127.0.0.1', 'http://', 'no proxy'])('%s is none', async (proxy) => {
    const cluster = await through(proxy);
    const error = await told(cluster.list('pods'));
    expect(error.message).toBe('the address of the proxy is not an http, https or socks5 URL');
    expect(isOneSentence(error)).toBe(true);
    await cluster.close();
  });
});
