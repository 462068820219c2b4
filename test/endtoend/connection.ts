// The ways in which a user names a cluster and logs in: what is written and typed, and who the API server then sees.

import path from 'node:path';
import { base64, clusterOf, kubeconfigOf, loginAs, type Place, tokenOf } from './place.ts';
import { IMPERSONATED } from './roles.ts';

/** What stands behind the program's and kubectl's own words. */
export interface Connect {
  readonly argv: readonly string[];
  /** HOME is the place's directory, unless told. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Who the API server sees, or the words in which each program refuses. */
export type Expected =
  | {
      readonly user: string;
      readonly groups?: readonly string[];
      readonly uid?: string;
      /** Where kubectl differs and is not followed: the case says why. */
      readonly kubectls?: RegExp | { readonly user: string };
    }
  | { readonly ours: RegExp; readonly kubectls: RegExp };

export type Case = readonly [name: string, prepare: (place: Place) => Connect, expected: Expected];

const STRANGER = { user: 'stranger' };
const CERTIFICATE = { user: 'certificate' };

/** `--kubeconfig` with this content, and further words. */
const using = (place: Place, config: object, ...argv: readonly string[]): Connect => ({
  argv: ['--kubeconfig', place.write('config', config), ...argv],
});
const listed = (...files: readonly string[]): Connect => ({
  argv: [],
  env: { KUBECONFIG: files.join(path.delimiter) },
});
const stranger = (place: Place) => loginAs(place.plane, 'stranger');
const portOf = (place: Place) => new URL(place.plane.server).port;
/** A name that the server's certificate does not hold. */
const localhost = (place: Place) => `https://localhost:${portOf(place)}`;
/** Nobody by itself: no user, and no context. */
const clusterOnly = (place: Place) => ({ clusters: [{ name: 'only', cluster: clusterOf(place.plane) }] });

export const FILES: readonly Case[] = [
  ['--kubeconfig', (place) => using(place, stranger(place)), STRANGER],
  ['KUBECONFIG', (place) => listed(place.write('config', stranger(place))), STRANGER],
  [
    '~/.kube/config',
    (place) => {
      place.write('.kube/config', stranger(place));
      return { argv: [] };
    },
    STRANGER,
  ],
  [
    '--kubeconfig above KUBECONFIG',
    (place) => ({
      ...listed(place.write('other', loginAs(place.plane, 'nolist'))),
      ...{ argv: ['--kubeconfig', place.write('config', stranger(place))] },
    }),
    STRANGER,
  ],
  [
    'a list with a missing file in it',
    (place) => listed(path.join(place.directory, 'missing'), place.write('config', stranger(place))),
    STRANGER,
  ],
  [
    'a list of which each file holds a part',
    (place) =>
      listed(
        place.write('a', {
          'current-context': 'it',
          contexts: [{ name: 'it', context: { cluster: 'c', user: 'u' } }],
        }),
        place.write('b', { clusters: [{ name: 'c', cluster: clusterOf(place.plane) }] }),
        place.write('c', { users: [{ name: 'u', user: tokenOf(place.plane, 'stranger') }] }),
      ),
    STRANGER,
  ],
  [
    'a list whose files use the same names: the first counts',
    (place) => listed(place.write('a', stranger(place)), place.write('b', loginAs(place.plane, 'nolist'))),
    STRANGER,
  ],
  [
    'a file that uses one name twice: the first counts',
    (place) => {
      const users = ['stranger', 'nolist'].map((name) => ({ name: 'it', user: tokenOf(place.plane, name) }));
      return using(place, { ...stranger(place), users });
    },
    // kubectl can't be used with such a file at all.
    { ...STRANGER, kubectls: /duplicate name/ },
  ],
  [
    'files named relative to the kubeconfig',
    (place) => {
      place.write('ca', Buffer.from(base64(place.plane.caFile), 'base64').toString());
      place.write('token', String(place.plane.tokens.stranger));
      const cluster = { server: place.plane.server, 'certificate-authority': 'ca' };
      return using(place, kubeconfigOf(cluster, { tokenFile: './token' }));
    },
    STRANGER,
  ],
  [
    'a tokenFile above a token',
    (place) => {
      const tokenFile = place.write('token', `${place.plane.tokens.stranger}\n`);
      return using(place, kubeconfigOf(clusterOf(place.plane), { token: 'old', tokenFile }));
    },
    STRANGER,
  ],
  [
    'a client certificate, inline',
    (place) => {
      const { certFile, keyFile } = place.plane.certificate;
      const user = { 'client-certificate-data': base64(certFile), 'client-key-data': base64(keyFile) };
      return using(place, kubeconfigOf(clusterOf(place.plane), user));
    },
    CERTIFICATE,
  ],
  [
    'a context without a user, which keeps its authority',
    (place) => using(place, kubeconfigOf(clusterOf(place.plane), {}, { user: '' })),
    // kubectl asks for a name and password first.
    { ours: /User "system:anonymous" cannot list/, kubectls: /User "system:anonymous" cannot|EOF/ },
  ],
  [
    'a file that does not exist',
    (place) => ({ argv: ['--kubeconfig', path.join(place.directory, 'missing')] }),
    { ours: /the kubeconfig \S+missing can't be read: there is no such file/, kubectls: /no such file/ },
  ],
  [
    'a cluster that trusts an authority and nobody at once',
    (place) =>
      using(
        place,
        kubeconfigOf(
          clusterOf(place.plane, { 'insecure-skip-tls-verify': true }),
          tokenOf(place.plane, 'stranger'),
        ),
      ),
    {
      ours: /certificate authority and skips TLS verification at once/,
      kubectls: /root certificates.* insecure/,
    },
  ],
];

/** A kubeconfig with several of each. */
const several = (place: Place) => ({
  'current-context': 'wrong',
  contexts: [
    { name: 'wrong', context: { cluster: 'closed', user: 'nolist' } },
    { name: 'right', context: { cluster: 'open', user: 'stranger' } },
  ],
  clusters: [
    { name: 'closed', cluster: { server: 'https://127.0.0.1:1' } },
    { name: 'open', cluster: clusterOf(place.plane) },
  ],
  users: ['nolist', 'stranger'].map((name) => ({ name, user: tokenOf(place.plane, name) })),
});

export const FLAGS: readonly Case[] = [
  ['--context', (place) => using(place, several(place), '--context', 'right'), STRANGER],
  ['--cluster', (place) => using(place, several(place), '--cluster', 'open'), { user: 'nolist' }],
  ['--user', (place) => using(place, several(place), '--cluster=open', '--user=stranger'), STRANGER],
  [
    'a context that does not exist',
    (place) => using(place, several(place), '--context', 'none'),
    { ours: /no context "none".*right, wrong/, kubectls: /context.*none.*not exist/ },
  ],
  [
    'a cluster that does not exist',
    (place) => using(place, several(place), '--cluster', 'none'),
    { ours: /no cluster "none".*closed, open/, kubectls: /cluster "none" does not exist/ },
  ],
  [
    'a user that does not exist',
    (place) => using(place, several(place), '--user', 'none'),
    { ours: /no user "none".*nolist, stranger/, kubectls: /auth info "none" does not exist/ },
  ],
  [
    '--server, --certificate-authority and --token without any kubeconfig',
    ({ plane }) => ({
      argv: [
        '--server',
        plane.server,
        '--certificate-authority',
        plane.caFile,
        '--token',
        plane.tokens.stranger!,
      ],
    }),
    STRANGER,
  ],
  [
    '-s above the kubeconfig',
    (place) =>
      using(
        place,
        kubeconfigOf(
          clusterOf(place.plane, { server: 'https://127.0.0.1:1' }),
          tokenOf(place.plane, 'stranger'),
        ),
        '-s',
        place.plane.server,
      ),
    STRANGER,
  ],
  [
    '--token above a token',
    (place) => using(place, loginAs(place.plane, 'nolist'), '--token', place.plane.tokens.stranger!),
    STRANGER,
  ],
  [
    '--token above a tokenFile',
    (place) => {
      const tokenFile = place.write('token', place.plane.tokens.nolist!);
      return using(
        place,
        kubeconfigOf(clusterOf(place.plane), { tokenFile }),
        '--token',
        place.plane.tokens.stranger!,
      );
    },
    // kubectl goes on with the file, and so asks as somebody else than it was told to.
    { ...STRANGER, kubectls: { user: 'nolist' } },
  ],
  [
    '--client-certificate and --client-key',
    (place) => {
      const { certFile, keyFile } = place.plane.certificate;
      return using(
        place,
        {
          ...clusterOnly(place),
          ...{ contexts: [{ name: 'c', context: { cluster: 'only' } }], 'current-context': 'c' },
        },
        ...['--client-certificate', certFile, '--client-key', keyFile],
      );
    },
    CERTIFICATE,
  ],
  [
    'a host name that the certificate lacks',
    (place) => using(place, stranger(place), '--server', localhost(place)),
    { ours: /has a certificate for another host name/, kubectls: /certificate is valid for .*not localhost/ },
  ],
  [
    '--tls-server-name',
    (place) =>
      using(place, stranger(place), '--server', localhost(place), '--tls-server-name=controlplane.test'),
    STRANGER,
  ],
  [
    'tls-server-name of the kubeconfig',
    (place) => {
      const cluster = clusterOf(place.plane, {
        server: localhost(place),
        'tls-server-name': 'controlplane.test',
      });
      return using(place, kubeconfigOf(cluster, tokenOf(place.plane, 'stranger')));
    },
    STRANGER,
  ],
  [
    '--insecure-skip-tls-verify above an authority',
    (place) => using(place, stranger(place), '--server', localhost(place), '--insecure-skip-tls-verify'),
    STRANGER,
  ],
  [
    'no authority',
    (place) => using(place, kubeconfigOf({ server: place.plane.server }, tokenOf(place.plane, 'stranger'))),
    { ours: /authority that the kubeconfig does not trust/, kubectls: /signed by unknown authority/ },
  ],
  [
    'a token that is not known',
    (place) => using(place, stranger(place), '--token', 'n0t-a-t0ken'),
    { ours: /does not accept the credentials/, kubectls: /must be logged in|Unauthorized/ },
  ],
];

const impersonator = (place: Place, as: object = {}) =>
  kubeconfigOf(clusterOf(place.plane), { ...tokenOf(place.plane, 'impersonator'), ...as });
const { user, group, uid } = IMPERSONATED;
/** The API server adds the last one. */
const JANE = { user, groups: [group, 'system:authenticated'], uid };

export const IMPERSONATION: readonly Case[] = [
  ['--as', (place) => using(place, impersonator(place), '--as', user), { user }],
  [
    '--as, --as-group and --as-uid',
    (place) => using(place, impersonator(place), `--as=${user}`, `--as-group=${group}`, `--as-uid=${uid}`),
    JANE,
  ],
  [
    'the same of the kubeconfig',
    (place) => using(place, impersonator(place, { as: user, 'as-groups': [group], 'as-uid': uid })),
    JANE,
  ],
  [
    'a user that may not be impersonated',
    (place) => using(place, impersonator(place), '--as', 'boss'),
    { ours: /cannot impersonate resource "users"/, kubectls: /cannot impersonate resource "users"/ },
  ],
  [
    'one group too many',
    (place) => using(place, impersonator(place), `--as=${user}`, `--as-group=${group}`, '--as-group=admins'),
    {
      ours: /"admins".*cannot impersonate resource "groups"/,
      kubectls: /"admins".*cannot impersonate resource "groups"/,
    },
  ],
  [
    'another uid',
    (place) => using(place, impersonator(place), `--as=${user}`, '--as-uid=8'),
    { ours: /"8".*cannot impersonate resource "uids"/, kubectls: /"8".*cannot impersonate resource "uids"/ },
  ],
  [
    'a group without a user',
    (place) => using(place, impersonator(place), '--as-group', group),
    { ours: /impersonated, but no user/, kubectls: /without impersonating a user/ },
  ],
];
