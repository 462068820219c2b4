// What client-node does otherwise than kubectl, a test for each wrapper: one that fails says that its wrapper may go.

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { ActionOnInvalid } from '@kubernetes/client-node/dist/config_types.js';
import { OpenIDConnectAuth } from '@kubernetes/client-node/dist/oidc_auth.js';
import { PortForward } from '@kubernetes/client-node/dist/portforward.js';
import { WebSocketHandler } from '@kubernetes/client-node/dist/web-socket-handler.js';
import { type WebSocket, WebSocketServer } from 'ws';
import { temporaryDirectory } from '../temporary.ts';

const directory = temporaryDirectory();
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const CA = 'Q0E=';
const text = (cluster: object, user: object = {}, more: object = {}) =>
  JSON.stringify({
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: 'https://kube.example:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    ...more,
  });

function loaded(config: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(config);
  return kubeConfig;
}

async function optionsOf(config: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

describe('files', () => {
  test('that give a name twice do not join, and the last current context counts', () => {
    const [first, second] = [loaded(text({})), loaded(text({}, {}, { 'current-context': 'later' }))];
    expect(() => first.mergeConfig(second)).toThrow('Duplicate cluster: c');
    expect(first.getCurrentContext()).toBe('later');
  });

  test('with a cluster that names no server are refused, or lose it without a word', () => {
    const clusters = [{ name: 'c', cluster: {} }];
    expect(() => loaded(text({}, {}, { clusters }))).toThrow('clusters[0].cluster.server is missing');
    const filtered = new KubeConfig();
    filtered.loadFromString(text({}, {}, { clusters }), { onInvalidEntry: ActionOnInvalid.FILTER });
    expect(filtered.getClusters()).toEqual([]);
  });

  test('that hold nothing, or a server that is no text, end in an error of the parser or of the language', () => {
    expect(() => loaded('')).toThrow('the input is empty');
    expect(() => loaded(text({ server: 6443 }))).toThrow('replace is not a function');
  });

  test('lose what a user has besides: token file, groups, uid, extra; and a cluster its extensions', () => {
    const user = {
      tokenFile: '/token',
      'as-uid': '7',
      'as-groups': ['a'],
      'as-user-extra': { k: ['v'] },
    };
    const config = loaded(text({ extensions: [{ name: 'e', extension: 1 }] }, user));
    expect(Object.values(config.getUser('u')!).filter(Boolean)).toEqual(['u']);
    expect(config.getCluster('c')).not.toHaveProperty('extensions');
  });

  test('count more than data that is there already', async () => {
    const file = path.join(directory, 'ca.crt');
    writeFileSync(file, 'file');
    const { ca } = await optionsOf(
      loaded(text({ 'certificate-authority': file, 'certificate-authority-data': CA })),
    );
    expect(String(ca)).toBe('file');
  });
});

describe('connections', () => {
  test('of a context without a user lose the authority', async () => {
    const contexts = [{ name: 'c', context: { cluster: 'c' } }];
    const options = await optionsOf(loaded(text({ 'certificate-authority-data': CA }, {}, { contexts })));
    expect(options.ca).toBeUndefined();
  });

  test('to http:// are refused', async () => {
    await expect(optionsOf(loaded(text({ server: 'http://127.0.0.1:8001' })))).rejects.toThrow(
      'HTTP protocol is not allowed',
    );
  });

  test('are not kept, and verified unless the environment says otherwise', async () => {
    const { agent } = await optionsOf(loaded(text({})));
    expect(agent).toMatchObject({ keepAlive: false });
    expect((agent as { options?: object }).options).not.toHaveProperty('rejectUnauthorized');
  });

  test('impersonate the user alone', async () => {
    const user = { as: 'jo', 'as-groups': ['a'], 'as-uid': '7', 'as-user-extra': { k: ['v'] } };
    expect((await optionsOf(loaded(text({}, user)))).headers).toEqual({ 'Impersonate-User': 'jo' });
  });

  test('have `undefined` for the password that a user does not have', async () => {
    expect((await optionsOf(loaded(text({}, { username: 'jo' })))).auth).toBe('jo:undefined');
  });
});

describe('credential plugins', () => {
  const plugin = (script: string) =>
    loaded(text({}, { exec: { apiVersion: 'v', command: process.execPath, args: ['-e', script] } }));

  test('get no KUBERNETES_EXEC_INFO, and what they print counts as a credential of any version', async () => {
    const script =
      'console.log(JSON.stringify({ status: { token: String(process.env.KUBERNETES_EXEC_INFO) } }))';
    expect((await optionsOf(plugin(script))).headers).toEqual({ Authorization: 'Bearer undefined' });
  });

  test('reach no terminal: what they print on stderr is the error, were it a secret', async () => {
    const script = 'console.error("secret"); process.exit(1)';
    await expect(optionsOf(plugin(script))).rejects.toThrow('secret');
  });

  test('run once for each of several requests at once', async () => {
    const file = path.join(directory, 'runs');
    const config = plugin(
      `require('fs').appendFileSync(${JSON.stringify(file)}, 'x'); console.log('{"status":{"token":"t"}}')`,
    );
    await Promise.all([optionsOf(config), optionsOf(config)]);
    expect(readFileSync(file, 'utf8')).toBe('xx');
  });
});

test('a token file of a provider keeps its line end, which no header may hold', async () => {
  const tokenFile = path.join(directory, 'token');
  writeFileSync(tokenFile, 'token\n');
  const config = loaded(text({}, { 'auth-provider': { name: 'file', config: { tokenFile } } }));
  expect((await optionsOf(config)).headers).toEqual({ Authorization: 'Bearer token\n' });
});

test('an OIDC token that has run out is renewed, and the new refresh token is kept nowhere', async () => {
  const expired = ['{"alg":"none"}', '{"exp":1}'].map((part) => Buffer.from(part).toString('base64url'));
  const config = {
    'id-token': `${expired.join('.')}.x`,
    'refresh-token': 'once',
    'client-id': 'c',
    'idp-issuer-url': 'https://id.example',
  };
  const spent: string[] = [];
  const provider = {
    refresh: async (refreshToken: string) => {
      spent.push(refreshToken);
      return { id_token: 'new', refresh_token: 'next', expires_at: 2e9 };
    },
  };
  const user = loaded(text({}, { 'auth-provider': { name: 'oidc', config } })).getUser('u')!;
  await new OpenIDConnectAuth().applyAuthentication(user, { headers: {} }, provider);
  expect(spent).toEqual(['once']);
});

describe('port-forwards', () => {
  /** A server of port-forwards over plain HTTP; what it does with each. */
  async function forwarding(behave: (socket: WebSocket) => void): Promise<KubeConfig> {
    const server = createServer();
    const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0]! });
    sockets.on('connection', behave);
    const url = await listening(server);
    ends.push(() => {
      for (const socket of sockets.clients) socket.terminate();
    });
    return loaded(text({ server: url, 'insecure-skip-tls-verify': true }));
  }

  test('that are refused say no more than the status', async () => {
    const server = createServer();
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 1\r\n\r\nx'));
    const config = loaded(text({ server: await listening(server), 'insecure-skip-tls-verify': true }));
    const refusal = await new WebSocketHandler(config).connect('/', null, null).catch((event) => event);
    expect(refusal).not.toBeInstanceOf(Error);
    expect(refusal.message).toBe('Unexpected server response: 403');
  });

  test.each([
    ['an empty frame', Buffer.alloc(0)],
    ['a frame that closes no channel', Buffer.of(255)],
  ])('throw where nothing catches it on %s', async (_, frame) => {
    const config = await forwarding(() => {});
    const socket = await new WebSocketHandler(config).connect('/', null, () => true);
    expect(() => socket.emit('message', frame, true)).toThrow(/outside buffer bounds|out of range/);
    socket.terminate();
  });

  test('end the streams that they are given, by default those of the process, where the server says so', async () => {
    const config = await forwarding((socket) => socket.send(Buffer.of(255, 1)));
    const stdout = new PassThrough();
    const ended = new Promise((resolve) => stdout.on('finish', resolve));
    const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
    const socket = await new WebSocketHandler(config, undefined, streams).connect('/', null, () => true);
    await ended;
    socket.terminate();
  });

  test('hold the whole of what a reader does not take, and do not end when the server closes', async () => {
    const size = 8 * 1024 * 1024;
    const config = await forwarding((socket) => {
      for (let part = 0; part < 128; part += 1) socket.send(Buffer.alloc(size / 128 + 3));
      socket.close(1000);
    });
    const output = new PassThrough();
    let ended = false;
    output.on('finish', () => {
      ended = true;
    });
    const opened = await new PortForward(config).portForward('n', 'p', [1], output, null, new PassThrough());
    const socket = opened as Exclude<typeof opened, () => unknown>;
    await new Promise((resolve) => socket.addEventListener('close', resolve));
    expect(output.writableLength + output.readableLength).toBeGreaterThan(size);
    expect(ended).toBe(false);
  });

  test('put a pod into the path as it is written', async () => {
    const asked: string[] = [];
    const server = createServer();
    server.on('upgrade', (request, socket) => {
      asked.push(request.url ?? '');
      socket.destroy();
    });
    const config = loaded(text({ server: await listening(server), 'insecure-skip-tls-verify': true }));
    const streams = [new PassThrough(), null, new PassThrough()] as const;
    await new PortForward(config).portForward('n', '../../x?', [1], ...streams).catch(() => {});
    expect(asked).toEqual(['/api/v1/namespaces/x?/portforward?ports=1']);
  });
});

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
