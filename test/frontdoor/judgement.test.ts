// Dumps that were made for one fault each, and moments of a real mesh: what check says of them, and of one near each that has not the fault.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

const folder = path.resolve(import.meta.dirname, '../testdata/judgement');
const moments = path.resolve(import.meta.dirname, '../testdata/mesh');
const scratch = temporaryDirectory();
const AT = '2026-11-29T22:03:42Z';

interface Json {
  // biome-ignore lint/suspicious/noExplicitAny: dumps are edited as whatever they are
  [key: string]: any;
}

/** A file of the folder, or a copy with changes. */
type Source = string | readonly [name: string, change: (content: Json) => void];

interface Input {
  readonly dumps: readonly Source[];
  readonly pods?: Source;
  readonly now?: string;
  readonly args?: string;
}

/** `critical UNTRUSTED`, … worst first. */
type Said = readonly string[];

interface Case {
  readonly name: string;
  readonly input: Input;
  readonly says: Said;
  /** In the first object's detail, or in what to do. */
  readonly tells?: readonly (string | RegExp)[];
  /** How many objects the first finding has. */
  readonly objects?: number;
  readonly near: Input;
  readonly nearSays?: Said;
}

let copies = 0;

function fileOf(source: Source): string {
  if (typeof source === 'string') return path.join(folder, source);
  const [name, change] = source;
  const content = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Json;
  change(content);
  copies += 1;
  const copy = path.join(scratch, `${copies}-${path.basename(name)}`);
  writeFileSync(copy, JSON.stringify(content));
  return copy;
}

async function check({ dumps, pods, now = AT, args = '' }: Input) {
  const files = dumps.flatMap((each) => ['-f', fileOf(each)]);
  const resources = pods === undefined ? [] : ['--resources', fileOf(pods)];
  const outcome = await run([
    'check',
    '-o',
    'json',
    '--now',
    now,
    ...files,
    ...resources,
    ...args.split(' ').filter(Boolean),
  ]);
  const { items } = JSON.parse(outcome.stdout) as Json;
  return { ...outcome, items: items as readonly Json[] };
}

const said = (items: readonly Json[]): Said => items.map(({ severity, code }) => `${severity} ${code}`);
const EXITS: Readonly<Record<string, number>> = { critical: 2, warning: 1 };
const worstOf = (items: readonly Json[]): number => EXITS[items[0]?.severity as string] ?? 0;

const reasonIs = (reason: string) => (dump: Json) => {
  dump.certificates[0].state = `Unavailable: ${reason}`;
};
const startedAt = (time: string) => (list: Json) => {
  for (const pod of list.items) {
    if (pod.metadata.namespace !== 'shop') continue;
    pod.metadata.creationTimestamp = time;
    pod.status.startTime = time;
  }
};
/** Both roots, as certificates have them that were fetched after both had been put into the bundle. */
const trustsBoth = (dump: Json) => {
  const both = dump.certificates.find(({ rootCerts }: Json) => rootCerts.length === 2).rootCerts;
  for (const entry of dump.certificates) entry.rootCerts = both;
};

const CASES: readonly Case[] = [
  {
    name: 'a rotation that signs with a root that not all trust',
    input: { dumps: ['03-rotation-node-a.json', '03-rotation-node-b.json'] },
    says: ['critical TRUST-BROKEN'],
    objects: 1,
    tells: [
      'A: 1 identity of 2 pods in trust domain cluster.local (shop/web on node-a, shop/web on node-b)',
      /No connection in either direction: A refuses B: it does not trust root c876d383bed5 \(/,
    ],
    near: {
      dumps: [
        ['03-rotation-node-a.json', trustsBoth],
        ['03-rotation-node-b.json', trustsBoth],
      ],
    },
    nearSays: ['information OLDER-ROOT'],
  },
  {
    name: 'two trust domains in use',
    input: { dumps: ['11-node-a.json', '11-node-b.json'] },
    says: ['critical TRUST-BROKEN'],
    tells: [
      'in trust domain old.corp',
      'each is refused as a client by the other, whose trust domain is not its own',
    ],
    near: {
      dumps: [
        '11-node-a.json',
        [
          '11-node-a.json',
          (dump) => {
            dump.config.localNode = 'node-b';
            dump.workloads[0].node = 'node-b';
          },
        ],
      ],
    },
  },
  {
    name: 'a leaf for servers only',
    input: { dumps: ['20-eku.json'] },
    says: ['critical UNTRUSTED'],
    tells: ['the leaf does not allow clientAuth (extended key usage): servers refuse it as a client'],
    near: { dumps: ['16-policy.json'] },
    // Of its own: no workload has the principal that one of its policies wants.
    nearSays: ['warning POLICY-UNMATCHED'],
  },
  {
    name: 'a certificate of 12 minutes past its half',
    input: { dumps: ['05-short.json'] },
    says: ['warning RENEWAL-OVERDUE', 'warning CA-LAST-ISSUED'],
    tells: ['renewal was due at 2026-11-29T21:59:30Z'],
    near: { dumps: ['05-short.json'], now: '2026-11-29T22:00:06Z' },
  },
  {
    name: 'a first fetch that has run for hours',
    input: { dumps: ['07-init.json'], pods: '07-pods.json' },
    says: ['critical INITIALIZING'],
    tells: ['its pod started 5h0m ago'],
    near: { dumps: ['07-init.json'], pods: ['07-pods.json', startedAt('2026-11-29T22:02:42Z')] },
    nearSays: ['warning INITIALIZING'],
  },
  {
    name: 'a token that the CA does not accept',
    input: { dumps: ['01-authn.json'] },
    says: ['critical CA-UNAUTHENTICATED', 'warning CA-LAST-ISSUED'],
    tells: ['request authenticate failure', "Compare the audience of ztunnel's token"],
    near: { dumps: [['01-authn.json', reasonIs('the identity is no longer needed')]] },
    nearSays: ['information IDENTITY-NOT-NEEDED'],
  },
  {
    name: 'an account that may not ask for others',
    input: { dumps: ['01-impersonation.json'] },
    says: ['critical CA-NOT-TRUSTED', 'warning CA-LAST-ISSUED'],
    tells: ['request impersonation authentication failure', 'CA_TRUSTED_NODE_ACCOUNTS'],
    near: { dumps: [['01-impersonation.json', reasonIs('the identity is no longer needed')]] },
    nearSays: ['information IDENTITY-NOT-NEEDED'],
  },
  {
    name: 'a lifetime that the CA refuses',
    input: { dumps: ['02-ttl.json'] },
    says: ['critical CA-TTL-REFUSED', 'warning CA-LAST-ISSUED'],
    tells: ['asks for 365d0h, the CA allows 90d0h', 'MAX_WORKLOAD_CERT_TTL'],
    near: { dumps: [['02-ttl.json', reasonIs('the identity is no longer needed')]] },
    nearSays: ['information IDENTITY-NOT-NEEDED'],
  },
  {
    name: 'a CA that can not be reached, and what was not fetched for it',
    input: { dumps: ['14-serial.json'], pods: '14-pods.json' },
    says: ['critical CA-UNREACHABLE', 'warning CA-LAST-ISSUED'],
    // 23 that failed, one that is being fetched, 16 that are not listed yet.
    objects: 40,
    tells: ['client error (Connect)'],
    near: {
      dumps: [
        [
          '14-serial.json',
          (dump) => {
            dump.certificates = dump.certificates.filter(({ state }: Json) => state === 'Initializing');
          },
        ],
      ],
      pods: '14-pods.json',
    },
    nearSays: ['critical MISSING', 'critical INITIALIZING'],
  },
  {
    name: 'a waypoint, whose certificate ztunnel never presents',
    input: { dumps: ['08-waypoint.json'], pods: '08-pods.json' },
    says: ['information NEVER-PRESENTED'],
    tells: ['UNAVAILABLE: '],
    near: {
      dumps: [
        [
          '08-waypoint.json',
          (dump) => {
            dump.workloads[0].nativeTunnel = false;
          },
        ],
      ],
      pods: [
        '08-pods.json',
        (list) => {
          for (const pod of list.items)
            pod.metadata.annotations = { 'ambient.istio.io/redirection': 'enabled' };
        },
      ],
    },
    nearSays: [
      'critical CA-NOT-TRUSTED',
      'critical MISSING',
      'critical NOT-ENROLLED',
      'warning CA-LAST-ISSUED',
    ],
  },
  {
    name: 'what is left of a trust domain',
    input: { dumps: ['12-leftover-ok.json'], pods: '12-pods.json' },
    says: ['information ORPHAN'],
    tells: ['its workloads are in trust domain new.corp'],
    near: {
      dumps: [
        [
          '12-leftover-ok.json',
          (dump) => {
            dump.certificates = dump.certificates.filter(({ identity }: Json) =>
              identity.includes('new.corp'),
            );
          },
        ],
      ],
      pods: '12-pods.json',
    },
  },
  {
    name: 'a certificate that begins in more than half a minute',
    input: { dumps: ['06-justissued.json'], now: '2026-11-29T22:03:13Z' },
    says: ['critical NOT-YET-VALID'],
    near: { dumps: ['06-justissued.json'], now: '2026-11-29T22:03:14Z' },
  },
];

describe('faults', () => {
  test.each(CASES)('$name', async ({ input, says, tells = [], objects, near, nearSays = [] }) => {
    const found = await check(input);
    expect(said(found.items)).toEqual(says);
    expect(found.code).toBe(worstOf(found.items));
    const [first] = found.items as readonly [Json];
    if (objects !== undefined) expect(first.objects).toHaveLength(objects);
    for (const text of tells) expect(`${first.objects[0].detail} ${first.remedy}`).toMatch(text);

    const beside = await check(near);
    expect(said(beside.items)).toEqual(nearSays);
    expect(beside.code).toBe(worstOf(beside.items));
  });

  test('all of these in certs: the CA stands where nothing is listed yet', async () => {
    const { stdout } = await run([
      'certs',
      '--now',
      AT,
      '-f',
      fileOf('14-serial.json'),
      '--resources',
      fileOf('14-pods.json'),
      '--status',
      'MISSING',
    ]);
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows).toHaveLength(16);
    for (const row of rows)
      expect(row).toContain('not fetched yet: the ztunnel of this node can not reach the CA');
  });
});

/** At its own time, or so many minutes later. */
async function judge(moment: string, minutesLater = 0) {
  const { at } = JSON.parse(readFileSync(path.join(moments, moment, 'observed.json'), 'utf8')) as {
    readonly at: string;
  };
  const now = new Date(Date.parse(at) + minutesLater * 60_000).toISOString().replace('.000Z', 'Z');
  const [a, b, pods] = ['node-a.config_dump.json', 'node-b.config_dump.json', 'pods.json'].map((name) =>
    path.relative(folder, path.join(moments, moment, name)),
  ) as [string, string, string];
  return check({ dumps: [a, b], pods, now });
}

describe('moments of a real mesh', () => {
  test.each([
    ['abrupt/0-before', []],
    ['rotation/1-both-trusted', []],
    ['rotation/2-all-renewed', []],
  ])('%s: nothing critical, no renewal that is overdue', async (moment) => {
    const { items } = await judge(moment);
    expect(said(items).filter((each) => /critical|RENEWAL-OVERDUE|TRUST-BROKEN/.test(each))).toEqual([]);
  });

  test('abrupt/1-node-a-on-b: two nodes that trust different roots, once', async () => {
    const { items, code } = await judge('abrupt/1-node-a-on-b');
    const broken = items.filter((item) => item.code === 'TRUST-BROKEN') as readonly Json[];
    expect(broken.map(({ severity, objects }) => [severity, objects.length])).toEqual([['critical', 1]]);
    expect(broken[0]!.objects[0].detail).toMatch(
      /data\/db on node-b, shop\/cart on node-b.*ops\/admin on node-a, shop\/web on node-a.*No connection in either direction: A refuses B: it does not trust root eeeaa1c1\w{4} \(.*\); B refuses A: it does not trust root c32bfde2\w{4} \(/,
    );
    expect(code).toBe(2);
  });

  test('untrusted-account/1: the account that is not trusted', async () => {
    const { items } = await judge('untrusted-account/1', 10);
    const [first] = items as readonly [Json];
    expect([first.severity, first.code, first.objects.length]).toEqual(['critical', 'CA-NOT-TRUSTED', 4]);
    expect(first.particulars).toContain('as service account istio-system/ztunnel');
  });

  test('outage/1-past-half: a warning that says until when', async () => {
    const { items, code } = await judge('outage/1-past-half');
    expect(said(items)).toEqual(['warning EXPIRING', 'warning CA-LAST-ISSUED']);
    expect(code).toBe(1);
  });
});
