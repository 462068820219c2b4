// Tests of which proxy the environment puts before a server, by Go's rules.

import { expect, test } from '@jest/globals';
import { findProxy } from '../../src/sources/kubernetes/transport.ts';

const PROXY = 'http://proxy:3128';

test.each([
  ['https://kube.example:6443', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://kube.example:6443', { https_proxy: 'proxy:3128' }, PROXY],
  ['https://kube.example:6443', { HTTP_PROXY: PROXY, ALL_PROXY: PROXY }, undefined],
  ['http://kube.example', { HTTP_PROXY: PROXY }, PROXY],
  ['https://localhost:6443', { HTTPS_PROXY: PROXY }, undefined],
  ['https://127.8.0.1:6443', { HTTPS_PROXY: PROXY }, undefined],
  ['https://[::1]:6443', { HTTPS_PROXY: PROXY }, undefined],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, undefined],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'other, example' }, undefined],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: '.example' }, undefined],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: '*.example' }, undefined],
  ['https://KUBE.example', { HTTPS_PROXY: PROXY, no_proxy: 'kube.EXAMPLE' }, undefined],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: '.kube.example' }, PROXY],
  ['https://notkube.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'kube.example' }, PROXY],
  ['https://kube.example', { HTTPS_PROXY: PROXY, NO_PROXY: 'kube.example:6443' }, PROXY],
  ['https://kube.example:6443', { HTTPS_PROXY: PROXY, NO_PROXY: 'kube.example:6443' }, undefined],
  ['https://10.1.2.3', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8,10.0.0.0/99,x/8' }, PROXY],
  ['https://[fd00::1]:6443', { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::/8' }, undefined],
  ['https://[fd00::1]:6443', { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::1' }, undefined],
])('%s with %j: %s', (server, env, expected) => {
  expect(findProxy(server, env)).toBe(expected);
});
