// How long lists of a real API server are read: page by page, and anew when their continue token has expired.

import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CROWD } from './mesh.ts';
import { ztunnel } from './program.ts';
import { type ApiProxy, startApiProxy } from './proxy.ts';
import { controlPlane } from './surroundings.ts';

const plane = controlPlane();

let proxy: ApiProxy | undefined;
afterEach(() => proxy?.close());

/** Every `continue` token given so far is too old from then on. */
function compact(): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${plane.control}/compact`, { method: 'POST' }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error('not compacted')),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const pages = (requests: readonly string[]) =>
  requests
    .filter((line) => /\/pods\?/.test(line) && !line.includes('labelSelector'))
    .map((line) => (line.includes('continue=') ? 'next' : line.includes('limit=') ? 'first' : 'whole'));

async function certs(): Promise<{ total: number; code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await ztunnel(['certs', '-o', 'json', '-s', proxy!.url], {
    env: { HOME: '/none' },
  });
  return { total: JSON.parse(stdout).summary.total, code, stderr };
}

describe('a list of pods that is longer than a page', () => {
  test('is read page by page', async () => {
    expect(CROWD).toBeGreaterThan(500);
    proxy = await startApiProxy(plane);
    expect(await certs()).toEqual({ total: 10, code: 0, stderr: '' });
    expect(pages(proxy.requests)).toEqual(['first', 'next']);
  });

  test('is begun anew when its continue token has expired', async () => {
    let expired = 0;
    proxy = await startApiProxy(plane, async ({ url = '' }) => {
      if (/\/pods\?.*continue=/.test(url) && expired++ === 0) await compact();
    });
    expect(await certs()).toEqual({ total: 10, code: 0, stderr: '' });
    expect(pages(proxy.requests)).toEqual(['first', 'next', 'first', 'next']);
  });

  test('is read at once in the end when its tokens expire again and again', async () => {
    proxy = await startApiProxy(plane, async ({ url = '' }) => {
      if (/\/pods\?.*continue=/.test(url)) await compact();
    });
    expect(await certs()).toEqual({ total: 10, code: 0, stderr: '' });
    expect(pages(proxy.requests)).toEqual(['first', 'next', 'first', 'next']);
  });
});
