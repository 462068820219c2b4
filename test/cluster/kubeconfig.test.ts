// Tests of what kubeconfigs mean: merging, choosing and overriding as kubectl does.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { KubeConfig } from '@kubernetes/client-node';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import type { ConnectionFlags } from '../../src/sources/kubeconfig/connectionflags.ts';
import { joinKubeconfigs, kubeConfigOf, parseKubeconfig } from '../../src/sources/kubeconfig/kubeconfig.ts';
import type { UserEntry } from '../../src/sources/kubeconfig/kubeconfigentry.ts';
import { listedFiles, loadInCluster, loadKubeconfig } from '../../src/sources/kubeconfig/kubeconfigfiles.ts';
import { selectConnection } from '../../src/sources/kubernetes/connection.ts';
import { temporaryDirectory } from '../temporary.ts';
import { isOneSentence, told } from './failure.ts';

const FIRST = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev
  cluster: { server: 'https://dev.example:6443/', certificate-authority: certs/ca.crt, tls-server-name: kube }
- name: dev
  cluster: { server: https://second-of-that-name.example }
- name: open
  cluster: { server: 'https://open.example/k8s/clusters/c-1', insecure-skip-tls-verify: true }
- name: torn
  cluster: { server: https://torn.example, insecure-skip-tls-verify: true, certificate-authority-data: QQ== }
- name: nowhere
  cluster: {}
users:
- name: jo
  user:
    tokenFile: token
    as: boss
    as-groups: [admins, 7]
    as-user-extra: { reason: [audit] }
- name: cloud
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./login
      args: [--cluster, 12]
      env: [{ name: REGION, value: eu }]
      interactiveMode: Never
      provideClusterInfo: true
- name: headless
  user: { as-groups: [admins] }
contexts:
- name: dev
  context: { cluster: dev, user: jo, namespace: shop }
- name: open
  context: { cluster: open }
- name: torn
  context: { cluster: torn, user: jo }
- name: nowhere
  context: { cluster: nowhere }
- name: dangling
  context: { cluster: gone, user: jo }
- name: headless
  context: { cluster: dev, user: headless }
`;

const config = parseKubeconfig(FIRST, '/home/jo/.kube/config');
const connect = (flags: ConnectionFlags) => selectConnection(config, flags);
const withoutContext = () =>
  kubeConfigOf({ clusters: config.clusters, users: config.users, contexts: config.contexts });
const pluginOf = (from: KubeConfig, name: string) => (from.getUser(name) as UserEntry | null)?.plugin;

describe('one file', () => {
  test('paths in it start from its directory, the first of two entries with one name counts', () => {
    expect(config.getCluster('dev')).toEqual({
      name: 'dev',
      server: 'https://dev.example:6443/',
      caFile: '/home/jo/.kube/certs/ca.crt',
      skipTLSVerify: false,
      tlsServerName: 'kube',
    });
    expect(config.getUser('jo')).toMatchObject({
      tokenFile: '/home/jo/.kube/token',
      impersonateUser: 'boss',
      impersonateGroups: ['admins', '7'],
      impersonateExtra: { reason: ['audit'] },
    });
    expect(pluginOf(config, 'cloud')).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/home/jo/.kube/login',
      args: ['--cluster', '12'],
      env: { REGION: 'eu' },
      interactiveMode: 'Never',
      provideClusterInfo: true,
    });
  });

  test('a command without a path is left to PATH', () => {
    const text = 'users: [{name: a, user: {exec: {command: aws}}}]';
    expect(pluginOf(parseKubeconfig(text, '/x/config'), 'a')?.command).toBe('aws');
  });

  test.each([
    '',
    '{}',
    'null',
    'clusters: 7',
    'clusters: [7, null, {name: 3}]',
    'users: [{name: a, user: null}]',
  ])('of little content is no error: %s', (text) => {
    expect(parseKubeconfig(text, '/x').getCurrentContext()).toBeUndefined();
  });

  test.each([': : :\n\t-', '[1,2]', 'words'])('that is none is named: %s', (text) => {
    const error = catchUserError(() => parseKubeconfig(text, '/x/config'));
    expect(error.message).toContain('/x/config');
    expect(isOneSentence(error)).toBe(true);
  });

  test('of any content is read, or refused with a UserError', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const entry = [{ name: 'a', user: value, cluster: value, context: value }];
        const text = JSON.stringify({ users: entry, clusters: entry, contexts: entry, extra: value });
        expect(parseKubeconfig(text, '/x').getUser('a')).toMatchObject({ name: 'a' });
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe('several files', () => {
  const second = parseKubeconfig(
    `
current-context: prod
clusters: [{name: dev, cluster: {server: 'https://other.example'}}, {name: prod, cluster: {server: 'https://prod.example'}}]
users: [{name: jo, user: {token: t, username: u}}]
contexts: [{name: prod, context: {cluster: prod, user: jo}}]
`,
    '/etc/kube/config',
  );

  test('the first to name a thing wins, as a whole', () => {
    const joined = joinKubeconfigs([config, second]);
    expect(joined.getCurrentContext()).toBe('dev');
    expect(joined.getCluster('dev')?.server).toBe('https://dev.example:6443/');
    expect(joined.getCluster('prod')?.server).toBe('https://prod.example');
    expect(joined.getUser('jo')?.token).toBeUndefined();
  });

  test('a later one gives the current context if the first has none', () => {
    expect(joinKubeconfigs([withoutContext(), second]).getCurrentContext()).toBe('prod');
  });
});

describe('which files count', () => {
  const directory = temporaryDirectory();
  beforeAll(async () => {
    await writeFile(path.join(directory, 'a'), 'clusters: [{name: a, cluster: {server: "https://a"}}]');
    await writeFile(
      path.join(directory, 'b'),
      'clusters: [{name: a, cluster: {server: "https://b"}}]\ncurrent-context: b',
    );
  });
  const at = (...names: string[]) => names.map((name) => path.join(directory, name)).join(path.delimiter);

  test('a missing file of KUBECONFIG is skipped, and the first wins', async () => {
    const loaded = await loadKubeconfig(undefined, { KUBECONFIG: `${at('missing', 'a', 'b')}:` });
    expect(loaded.getCluster('a')?.server).toBe('https://a');
    expect(loaded.getCurrentContext()).toBe('b');
  });

  test('the flag is one file, wins over KUBECONFIG, and must exist', async () => {
    const loaded = await loadKubeconfig(at('b'), { KUBECONFIG: at('a') });
    expect(loaded.getCluster('a')?.server).toBe('https://b');
    const error = await told(loadKubeconfig(at('missing'), {}));
    expect(error.message).toBe(`the kubeconfig ${at('missing')} can't be read: there is no such file`);
    expect((await told(loadKubeconfig(directory, {}))).message).toContain('it is a directory');
  });

  test('without either it is ~/.kube/config, which may be missing', async () => {
    expect(listedFiles({ HOME: '/home/jo', KUBECONFIG: '' })).toEqual(['/home/jo/.kube/config']);
    expect(await loadKubeconfig(undefined, { HOME: directory })).toEqual(kubeConfigOf({}));
  });
});

describe('which server is asked, and as whom', () => {
  test('by the current context', () => {
    expect(connect({})).toMatchObject({
      server: 'https://dev.example:6443',
      namespace: 'shop',
      user: { name: 'jo' },
      cluster: { caFile: '/home/jo/.kube/certs/ca.crt', tlsServerName: 'kube' },
    });
  });

  test('a context without a user keeps its cluster, and the path of its server', () => {
    expect(connect({ context: 'open' })).toMatchObject({
      server: 'https://open.example/k8s/clusters/c-1',
      namespace: undefined,
      cluster: { skipTLSVerify: true },
      user: { impersonateGroups: [] },
    });
  });

  test('a flag for the server drops the server name that belonged to the old one', () => {
    const { server, cluster } = connect({ server: 'https://10.0.0.1:6443' });
    expect(server).toBe('https://10.0.0.1:6443');
    expect(cluster.tlsServerName).toBeUndefined();
    expect(connect({ server: 'https://x', tlsServerName: 'y' }).cluster.tlsServerName).toBe('y');
  });

  test('an authority by flag replaces what the kubeconfig trusts, and skipping verification drops it', () => {
    expect(connect({ context: 'torn', certificateAuthority: '/ca' }).cluster).toMatchObject({
      skipTLSVerify: false,
      caFile: '/ca',
      caData: undefined,
    });
    expect(connect({ insecureSkipTlsVerify: true }).cluster).toMatchObject({
      skipTLSVerify: true,
      caFile: undefined,
    });
  });

  test('flags for the user replace what the kubeconfig says', () => {
    const { user } = connect({
      token: 't',
      as: 'me',
      asGroups: ['g'],
      clientCertificate: '/c',
      clientKey: '/k',
    });
    expect(user).toMatchObject({
      token: 't',
      impersonateUser: 'me',
      impersonateGroups: ['g'],
      certFile: '/c',
      keyFile: '/k',
    });
    expect(user.tokenFile).toBeUndefined();
  });

  test.each([
    [{ server: 'host:8080' }, 'https://host:8080'],
    [{ server: 'host:8080', context: 'headless', as: 'x' }, 'https://host:8080'],
    [{ server: 'http://127.0.0.1:8001/' }, 'http://127.0.0.1:8001'],
    [{ server: 'https://[::1]:6443' }, 'https://[::1]:6443'],
    [{ server: 'https://user:secret@host' }, 'https://host'],
  ])('%j is %s', (flags, server) => {
    expect(connect(flags).server).toBe(server);
  });

  test('an address without a scheme is http unless the cluster speaks of TLS', () => {
    expect(selectConnection(kubeConfigOf({}), { server: 'localhost:8080' }).server).toBe(
      'http://localhost:8080',
    );
  });

  test.each([
    [
      { context: 'gone' },
      'no context "gone"',
      'Choose one that it has: dangling, dev, headless, nowhere, open, torn.',
    ],
    [{ context: 'dangling' }, 'names the cluster "gone"', '--context'],
    [{ user: 'gone' }, 'no user "gone"', 'jo'],
    [{ context: 'torn' }, '"torn" has a certificate authority and skips', 'Remove'],
    [{ context: 'nowhere' }, '"nowhere" names no server', 'server'],
    [{ context: 'headless' }, 'impersonated, but no user', 'Name the user'],
    [{ server: 'ftp://x' }, '"ftp://x" is not an http', 'https://'],
  ])('%j is refused: %s', (flags, message, hint) => {
    const error = catchUserError(() => connect(flags));
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(isOneSentence(error)).toBe(true);
  });

  test('no kubeconfig, and one without a current context, are told apart', () => {
    expect(catchUserError(() => selectConnection(kubeConfigOf({}), {})).message).toMatch(
      /^there is no kubeconfig/,
    );
    expect(catchUserError(() => selectConnection(withoutContext(), {})).message).toMatch(
      /no current context/,
    );
  });
});

describe('in a pod', () => {
  const directory = temporaryDirectory();

  test('the service account is the kubeconfig', async () => {
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await loadInCluster(env, directory)).toBeUndefined();
    await writeFile(path.join(directory, 'token'), 'secret');
    await writeFile(path.join(directory, 'namespace'), 'shop\n');
    const loaded = await loadInCluster(env, directory);
    expect(selectConnection(loaded!, {})).toMatchObject({
      server: 'https://[fd00::1]',
      namespace: 'shop',
      cluster: { caFile: path.join(directory, 'ca.crt') },
      user: { tokenFile: path.join(directory, 'token') },
    });
    expect(await loadInCluster({}, directory)).toBeUndefined();
  });
});

function catchUserError(run: () => unknown): UserError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}
