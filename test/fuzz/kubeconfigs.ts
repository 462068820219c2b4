// Kubeconfigs: whatever they hold, what comes of them is text, and none of it is lost in a prototype.

import { joinKubeconfigs, parseKubeconfig } from '../../src/sources/kubeconfig/kubeconfig.ts';
import type { UserEntry } from '../../src/sources/kubeconfig/kubeconfigentry.ts';
import type { Target } from './target.ts';

const YAML = `apiVersion: v1
kind: Config
current-context: it
clusters:
- name: c
  cluster: {server: "https://10.0.0.1:6443", certificate-authority: ca.crt, tls-server-name: x, proxy-url: "http://p:1"}
- name: d
  cluster:
    server: https://example.com
    insecure-skip-tls-verify: true
    extensions:
    - {name: client.authentication.k8s.io/exec, extension: {a: [1, 2]}}
contexts:
- name: it
  context: {cluster: c, user: u, namespace: shop}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./plugin
      args: [a, "b"]
      env: [{name: A, value: "1"}]
      interactiveMode: Never
      provideClusterInfo: true
- name: v
  user: {token: t, tokenFile: f, as: x, as-uid: y, as-groups: [a], as-user-extra: {k: [v]}, client-certificate-data: QQ==}
`;
const JSON_TEXT = JSON.stringify({
  apiVersion: 'v1',
  'current-context': 'it',
  clusters: [{ name: 'c', cluster: { server: 'http://x' } }],
  contexts: [{ name: 'it', context: { cluster: 'c', user: 'u' } }],
  users: [{ name: 'u', user: { 'auth-provider': { name: 'oidc', config: { a: 'b' } } } }],
});

const PIECES = [
  '__proto__: {x: 1}\n',
  '- name: __proto__\n',
  '&a [*a]',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!binary ',
  '!!js/function ',
  '? ',
  '|\n  ',
  '- '.repeat(300),
  '['.repeat(300),
  '%YAML 9.9\n---\n',
  '---\n',
  '\t',
  '\u0085',
  '.nan',
  '2026-01-01',
].map((text) => Buffer.from(text));

export const kubeconfigs: Target = {
  name: 'kubeconfigs',
  seeds: [YAML, JSON_TEXT].map((text) => Buffer.from(text)),
  pieces: PIECES,
  read: (input) => {
    const config = parseKubeconfig(Buffer.from(input).toString('utf8'), '/home/a/.kube/config');
    const joined = joinKubeconfigs([config, config]);
    const users = joined.getUsers().map((user) => user as UserEntry);
    const texts = [
      ...joined.getClusters().map(({ server }) => server),
      ...joined.getContexts().flatMap(({ cluster, user }) => [cluster, user]),
      ...users.flatMap(({ impersonateGroups, plugin }) => [...impersonateGroups, ...(plugin?.args ?? [])]),
    ];
    const wrong = texts.find((text) => typeof text !== 'string');
    if (wrong !== undefined) throw new Error(`${JSON.stringify(wrong)} is no text`);
  },
};
