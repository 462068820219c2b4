// What command lines mean, as kubectl's users type them.

import { describe, expect, test } from '@jest/globals';
import { parseArgv } from '../../src/cli/argv/argv.ts';
import { commands } from '../../src/commands/index.ts';
import { connectionFlags } from '../../src/commands/spec/connectionflags.ts';

const defaults = {
  words: [],
  output: 'table',
  noHeaders: false,
  sortBy: undefined,
  noColor: false,
  namespace: undefined,
  allNamespaces: false,
  file: [],
  resources: [],
  now: undefined,
  noOwners: false,
  node: [],
  ztunnelNamespace: undefined,
  ztunnelSelector: 'app=ztunnel',
  proxyAdminPort: 15000,
  timeout: 15000,
  concurrency: 32,
  kubeconfig: undefined,
  context: undefined,
  cluster: undefined,
  user: undefined,
  server: undefined,
  token: undefined,
  as: undefined,
  asGroup: [],
  asUid: undefined,
  certificateAuthority: undefined,
  clientCertificate: undefined,
  clientKey: undefined,
  tlsServerName: undefined,
  insecureSkipTlsVerify: false,
  requestTimeout: undefined,
  v: undefined,
};
const certs = {
  ...defaults,
  selector: undefined,
  deep: false,
  status: [],
  problems: false,
  groupBy: undefined,
  warnWithin: { percent: 10 },
  failOn: undefined,
  contexts: [],
  interval: undefined,
  until: undefined,
  watch: false,
};
const workloads = {
  ...defaults,
  selector: undefined,
  deep: false,
  address: undefined,
  workloadNamespace: undefined,
  workloadNode: undefined,
  warnWithin: { percent: 10 },
};

function words(line: string): readonly string[] {
  return line === '' ? [] : line.split(' ').map((word) => word.replaceAll('␠', ' '));
}

/** Command line → the whole set of options. `␠` stands for a space inside a word. */
const runs: readonly (readonly [line: string, name: string, options: object])[] = [
  ['certs', 'certs', certs],
  ['cert', 'certs', certs],
  ['certificate', 'certs', certs],
  ['certificates', 'certs', certs],
  ['workloads', 'workloads', workloads],
  ['workload', 'workloads', workloads],
  ['wl', 'workloads', workloads],
  ['w', 'workloads', workloads],
  ['certs -ojson', 'certs', { ...certs, output: 'json' }],
  ['certs -o json', 'certs', { ...certs, output: 'json' }],
  ['certs -o=json', 'certs', { ...certs, output: 'json' }],
  ['certs --output json', 'certs', { ...certs, output: 'json' }],
  ['certs --output=json', 'certs', { ...certs, output: 'json' }],
  ['certs -o JSON', 'certs', { ...certs, output: 'json' }],
  ['-o json certs', 'certs', { ...certs, output: 'json' }],
  ['-n shop certs', 'certs', { ...certs, namespace: 'shop' }],
  ['certs -nshop', 'certs', { ...certs, namespace: 'shop' }],
  ['certs -n=shop', 'certs', { ...certs, namespace: 'shop' }],
  ['certs --namespace=shop', 'certs', { ...certs, namespace: 'shop' }],
  ['certs --namespace=', 'certs', certs],
  ['certs -n shop -n data', 'certs', { ...certs, namespace: 'data' }],
  ['certs -n 1e3', 'certs', { ...certs, namespace: '1e3' }],
  ['certs -n 007', 'certs', { ...certs, namespace: '007' }],
  ['certs -n 0x10', 'certs', { ...certs, namespace: '0x10' }],
  ['certs -n true', 'certs', { ...certs, namespace: 'true' }],
  ['certs -n=a=b', 'certs', { ...certs, namespace: 'a=b' }],
  ['certs -fdump.json', 'certs', { ...certs, file: ['dump.json'] }],
  ['certs -f dump.json', 'certs', { ...certs, file: ['dump.json'] }],
  ['certs -f -', 'certs', { ...certs, file: ['-'] }],
  ['certs -f-', 'certs', { ...certs, file: ['-'] }],
  ['certs --file=-', 'certs', { ...certs, file: ['-'] }],
  ['certs -f a -f b --file c', 'certs', { ...certs, file: ['a', 'b', 'c'] }],
  ['certs -f a,b', 'certs', { ...certs, file: ['a,b'] }],
  ['certs --contexts east,west', 'certs', { ...certs, contexts: ['east', 'west'] }],
  [
    'certs --contexts arn:aws:eks:eu-west-1:1:cluster/a --contexts=admin@b,c',
    'certs',
    { ...certs, contexts: ['arn:aws:eks:eu-west-1:1:cluster/a', 'admin@b', 'c'] },
  ],
  ['certs -f my␠dump.json', 'certs', { ...certs, file: ['my dump.json'] }],
  ['certs -f a --resources r --resources s', 'certs', { ...certs, file: ['a'], resources: ['r', 's'] }],
  ['certs --no-headers', 'certs', { ...certs, noHeaders: true }],
  ['certs --no-headers=false', 'certs', { ...certs, noHeaders: false }],
  ['certs --no-headers --no-headers=false', 'certs', { ...certs, noHeaders: false }],
  ['certs --no-owners --no-color', 'certs', { ...certs, noOwners: true, noColor: true }],
  ['certs -A', 'certs', { ...certs, allNamespaces: true }],
  ['certs -Aojson', 'certs', { ...certs, allNamespaces: true, output: 'json' }],
  ['certs -A=false', 'certs', { ...certs, allNamespaces: false }],
  ['certs --node a --node b', 'certs', { ...certs, node: ['a', 'b'] }],
  ['certs --status ok --status Expired', 'certs', { ...certs, status: ['OK', 'EXPIRED'] }],
  ['certs --status ok,missing', 'certs', { ...certs, status: ['OK', 'MISSING'] }],
  ['certs --warn-within 2h', 'certs', { ...certs, warnWithin: { seconds: 7200 } }],
  ['certs --warn-within 25%', 'certs', { ...certs, warnWithin: { percent: 25 } }],
  ['certs --timeout 1m30s', 'certs', { ...certs, timeout: 90000 }],
  ['certs --timeout 24d', 'certs', { ...certs, timeout: 2_073_600_000 }],
  [
    'certs --concurrency 4 --proxy-admin-port 15100',
    'certs',
    { ...certs, concurrency: 4, proxyAdminPort: 15100 },
  ],
  ['certs --now 2026-11-29T22:03:42Z', 'certs', { ...certs, now: new Date('2026-11-29T22:03:42Z') }],
  ['certs -v 2', 'certs', { ...certs, v: 2 }],
  ['certs --v=0', 'certs', { ...certs, v: 0 }],
  [
    'certs --kubeconfig k --context c --cluster d --user u -s https://h:6443 --token t',
    'certs',
    {
      ...certs,
      kubeconfig: 'k',
      context: 'c',
      cluster: 'd',
      user: 'u',
      server: 'https://h:6443',
      token: 't',
    },
  ],
  ['certs --server=h', 'certs', { ...certs, server: 'h' }],
  [
    'certs --as jo --as-group a --as-group b,c --as-uid 007',
    'certs',
    { ...certs, as: 'jo', asGroup: ['a', 'b,c'], asUid: '007' },
  ],
  [
    'certs --certificate-authority ca --client-certificate crt --client-key key --tls-server-name n',
    'certs',
    { ...certs, certificateAuthority: 'ca', clientCertificate: 'crt', clientKey: 'key', tlsServerName: 'n' },
  ],
  ['certs --insecure-skip-tls-verify', 'certs', { ...certs, insecureSkipTlsVerify: true }],
  ['certs --insecure-skip-tls-verify=false', 'certs', certs],
  ['certs --request-timeout 1m30s', 'certs', { ...certs, requestTimeout: 90_000 }],
  ['certs --request-timeout 5', 'certs', { ...certs, requestTimeout: 5000 }],
  ['certs --request-timeout=0', 'certs', { ...certs, requestTimeout: 0 }],
  ['certs --', 'certs', certs],
  ['certs deployment/web', 'certs', { ...certs, words: ['deployment/web'] }],
  ['certs -n shop deployment/web', 'certs', { ...certs, namespace: 'shop', words: ['deployment/web'] }],
  [
    '-n shop certs web-0.shop -ojson',
    'certs',
    { ...certs, namespace: 'shop', output: 'json', words: ['web-0.shop'] },
  ],
  ['certs -- -web', 'certs', { ...certs, words: ['-web'] }],
  ['certs -lapp=web', 'certs', { ...certs, selector: 'app=web' }],
  ['certs -l app=web,tier!=cache', 'certs', { ...certs, selector: 'app=web,tier!=cache' }],
  ['certs --selector=env␠in␠(a,b)', 'certs', { ...certs, selector: 'env in (a,b)' }],
  ['w --deep sts/cart', 'workloads', { ...workloads, deep: true, words: ['sts/cart'] }],
  ['-- certs', 'certs', certs],
  ['w --address fd00::1', 'workloads', { ...workloads, address: 'fd00::1' }],
  [
    'w -n shop --workload-namespace shop',
    'workloads',
    { ...workloads, namespace: 'shop', workloadNamespace: 'shop' },
  ],
];

describe('a command line that runs', () => {
  test.each(runs)('%s', (line, name, options) => {
    const parsed = parseArgv(words(line), commands);
    expect(parsed.type === 'run' ? parsed.command.name : parsed).toBe(name);
    expect(parsed.type === 'run' ? { ...parsed.options } : parsed).toEqual(options);
  });
});

describe('a command line that asks for help', () => {
  test.each([
    ['', undefined],
    ['help', undefined],
    ['-h', undefined],
    ['--help', undefined],
    ['certs -h', 'certs'],
    ['certs --help -o json', 'certs'],
    ['help workloads', 'workloads'],
    ['-h certs', 'certs'],
  ])('%s', (line, name) => {
    const parsed = parseArgv(words(line), commands);
    expect([parsed.type, parsed.command?.name]).toEqual(['help', name]);
  });
});

/** Command line → the sentence and the next step, whole. */
const errors: readonly (readonly [line: string, message: string, hint: string])[] = [
  ['cetrs', 'there is no command "cetrs"', 'Did you mean "certs"? kubectl ztunnel --help lists all.'],
  ['xyzzy', 'there is no command "xyzzy"', 'kubectl ztunnel --help lists them.'],
  ['__proto__', 'there is no command "__proto__"', 'kubectl ztunnel --help lists them.'],
  ['-A', 'no command was given', 'kubectl ztunnel --help lists them.'],
  ['certs --ouput json', 'there is no flag --ouput', 'Did you mean --output? See --help for the flags.'],
  ['certs --__proto__=1', 'there is no flag --__proto__', 'See --help for the flags.'],
  ['certs --constructor x', 'there is no flag --constructor', 'See --help for the flags.'],
  ['certs -x', 'there is no flag -x', 'See --help for the flags.'],
  [
    'certs --address 1.2.3.4',
    'certs has no flag --address',
    'Commands that have it: workloads. See --help for the flags of certs.',
  ],
  ['wait web --file d', 'wait has no flag --file', 'See --help for the flags that it has.'],
  ['wait -fd web', 'wait has no flag -f', 'See --help for the flags that it has.'],
  ['version --context c', 'version has no flag --context', 'See --help for the flags that it has.'],
  ['certs --file=', '--file was given an empty value', 'Is the variable that it comes from set?'],
  ['certs --timeout=', '--timeout was given an empty value', 'Is the variable that it comes from set?'],
  ['certs --sort-by=', '--sort-by was given an empty value', 'Is the variable that it comes from set?'],
  ['certs -o', '-o needs a value', 'Write -o FORMAT.'],
  ['certs --namespace', '--namespace needs a value', 'Write --namespace NAMESPACE.'],
  [
    'certs -o xml',
    '--output can\'t be "xml"',
    'It is one of: table, wide, short, name, pem, json, yaml, html.',
  ],
  ['w -o pem', '--output can\'t be "pem"', 'It is one of: table, wide, short, name, json, yaml.'],
  [
    'certs --no-headers=maybe',
    '--no-headers is true or false, not "maybe"',
    'Leave the value out to set it.',
  ],
  ['certs --timeout 0s', '--timeout needs a duration above 0, not "0s"', 'Write it like 15s, 2m or 1h30m.'],
  ['certs --timeout 25d', '--timeout can be 24d at most, not "25d"', 'Write it like 15s, 2m or 1h30m.'],
  [
    'certs -w --interval 99999h',
    '--interval can be 24d at most, not "99999h"',
    'Write it like 15s, 2m or 1h30m.',
  ],
  [
    'certs --request-timeout 9999999',
    '--request-timeout can be 24d at most, not "9999999"',
    'Write it like 15s, 2m or 1h30m.',
  ],
  ['certs --timeout soon', '--timeout needs a duration, not "soon"', 'Write it like 90m, 1h30m or 2d.'],
  [
    'certs --concurrency 0',
    '--concurrency needs a whole number from 1 to 1000, not "0"',
    'Its default is 32.',
  ],
  [
    'certs --concurrency 1e3',
    '--concurrency needs a whole number from 1 to 1000, not "1e3"',
    'Its default is 32.',
  ],
  [
    'certs --proxy-admin-port 70000',
    '--proxy-admin-port needs a whole number from 1 to 65535, not "70000"',
    'Its default is 15000.',
  ],
  [
    'certs --now yesterday',
    '--now needs an RFC 3339 time, not "yesterday"',
    'Write it like --now 2026-11-29T22:03:42Z.',
  ],
  [
    'certs --now 2026-02-30T00:00:00Z',
    '--now needs an RFC 3339 time, not "2026-02-30T00:00:00Z"',
    'Write it like --now 2026-11-29T22:03:42Z.',
  ],
  [
    'certs --now 2026-13-45T00:00:00Z',
    '--now needs an RFC 3339 time, not "2026-13-45T00:00:00Z"',
    'Write it like --now 2026-11-29T22:03:42Z.',
  ],
  ['certs -n a -A', '--namespace and --all-namespaces exclude each other', 'Leave one of them out.'],
  ['certs -f d --node a', '--file and --node exclude each other', 'Leave one of them out.'],
  ['certs -f d --kubeconfig k', '--file and --kubeconfig exclude each other', 'Leave one of them out.'],
  ['certs -f d --context c', '--file and --context exclude each other', 'Leave one of them out.'],
  [
    'certs --request-timeout soon',
    '--request-timeout needs a duration, or 0 for none, not "soon"',
    'Write it like 90m, 1h30m or 2d.',
  ],
  ['certs --as-group=', '--as-group was given an empty value', 'Is the variable that it comes from set?'],
  // What follows a mistyped flag may be a secret.
  ['--tokn s3cret certs', 'there is no flag --tokn', 'Did you mean --token? See --help for the flags.'],
  [
    'certs --resources r',
    '--resources needs --file: a live mesh is asked for its own objects',
    'Add -f with a saved config dump, or leave --resources out.',
  ],
  [
    'certs --sort-by status -o short',
    '--sort-by and --output short exclude each other',
    'Use -o table, wide, json or yaml to sort.',
  ],
  [
    'certs --sort-by status --group-by root',
    '--group-by and --sort-by exclude each other',
    'Leave one of them out.',
  ],
  [
    'certs --group-by root -o pem',
    '--group-by and --output pem exclude each other',
    'Use -o table, wide, json or yaml with --group-by.',
  ],
  [
    'w -n a --workload-namespace b',
    '--namespace a and --workload-namespace b exclude each other',
    'Leave one of them out.',
  ],
  [
    'certs web surplus',
    'certs takes [TARGET] and no more, but "surplus" was given',
    'Write kubectl ztunnel certs [TARGET].',
  ],
  ['certs -l a --no-owners', '--selector and --no-owners exclude each other', 'Leave one of them out.'],
];

const connectionArguments = Object.entries(connectionFlags).map(([name, flag]): [string, string] => [
  name,
  flag.kind === 'boolean' ? `--${name}` : `--${name}=1`,
]);

test('saved dumps exclude every connection flag', () => {
  expect(connectionArguments).toHaveLength(15);
  for (const [name, argument] of connectionArguments) {
    const parsed = parseArgv(['certs', '-f', 'd', argument], commands);
    expect(parsed).toMatchObject({ error: { message: `--file and --${name} exclude each other` } });
  }
});

describe('a command line that is wrong', () => {
  test.each(errors)('%s', (line, message, hint) => {
    const parsed = parseArgv(words(line), commands);
    expect(parsed.type === 'error' ? [parsed.error.message, parsed.error.hint] : parsed).toEqual([
      message,
      hint,
    ]);
  });
});
