// What a reader makes of dumps that are early, odd, damaged or no dumps at all.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { createDumpReader, MAX_DUMP_BYTES } from '../../src/decode/dump/configdump.ts';
import { MAX_MEMBERS } from '../../src/decode/dump/members.ts';
import { MAX_BAD_MEMBERS, MAX_PROBLEMS } from '../../src/decode/dump/problems.ts';
import { MAX_ELEMENT_BYTES } from '../../src/decode/json/text.ts';
import { SECTIONS, type Section } from '../../src/model/dump.ts';
import { type ReadOptions, readDump } from './readdump.ts';

const CAPTURE = readFileSync(
  new URL('../testdata/dumps/node-a-connections.config_dump.json', import.meta.url),
);
const WEB = {
  identity: 'spiffe://cluster.local/ns/shop/sa/web',
  state: 'Available',
  certChain: [],
  rootCerts: [],
};
const CERTIFICATES: ReadOptions = { sections: ['certificates'] };

/** The error that reading throws, whichever way the input is cut. */
function errorOf(input: unknown, options: ReadOptions = {}): { message: string; hint: string } {
  const errors = [undefined, 1].map((chunk) => {
    try {
      readDump(input, { ...options, chunk });
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      const { message, hint } = error as UserError;
      expect(hint).toMatch(/\.$/);
      expect(message).not.toMatch(/[\p{Cc}\n]/u);
      return { message, hint };
    }
    throw new Error('nothing was thrown');
  });
  expect(errors[1]).toEqual(errors[0]);
  return errors[0]!;
}

describe('what is not a config dump', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  test.each<[string, unknown, string, RegExp]>([
    ['nothing', '', 'the config dump is empty', /Save it again/],
    ['white space', ' \n ', 'the config dump is empty', /Save it again/],
    ['null', 'null\n', 'this is a single JSON value, not a config dump', /\/config_dump/],
    ['a text', '"dump"', 'this is a single JSON value, not a config dump', /\/config_dump/],
    ['a number', '-12.5e3', 'this is a single JSON value, not a config dump', /\/config_dump/],
    ['a list', '[1,2]', 'this is a JSON list, not a config dump', /\/config_dump/],
    ['100,000 brackets', '['.repeat(100_000), 'this is a JSON list, not a config dump', /\/config_dump/],
    [
      'UTF-16 with mark',
      utf16('\ufeff{"certificates":[]}'),
      'this is text in UTF-16, not a config dump',
      /iconv/,
    ],
    ['UTF-16 of no ASCII', utf16('\ufeff漢字'), 'this is text in UTF-16, not a config dump', /iconv/],
    ['UTF-16 without', utf16('{"certificates":[]}'), 'this is text in UTF-16, not a config dump', /iconv/],
    ['UTF-16 big-endian', utf16('{"a":"ü"}').swap16(), 'this is text in UTF-16, not a config dump', /iconv/],
    ['gzip', gzipSync(CAPTURE), 'this is compressed with gzip, not a config dump', /gunzip/],
    ['zip', Buffer.from('PK\u0003\u0004 and so on'), 'this is a zip archive, not a config dump', /Unpack/],
    [
      'PNG',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'),
      'this is a PNG picture, not a config dump',
      /config_dump/,
    ],
    [
      'protobuf',
      Buffer.from('k8s\0\n\u0008'),
      'this is a Kubernetes object in protobuf, not a config dump',
      /--resources/,
    ],
    [
      'binary',
      Buffer.from([0x01, 0x02, 0xfe, 0x00]),
      'this is binary data, not a config dump',
      /config_dump/,
    ],
    ['zeros', Buffer.alloc(2000), 'this is binary data, not a config dump', /config_dump/],
    ['HTML', '\n<!doctype html><html>', 'this is a web page, not a config dump', /admin port/],
    ['YAML', 'apiVersion: v1\nkind: Pod\n', 'this is YAML by its looks, not a config dump', /JSON/],
    ['YAML document', '---\ncertificates: []\n', 'this is YAML by its looks, not a config dump', /JSON/],
    [
      'talk',
      'no healthy "upstream"\nmore',
      'this is text that begins with "no healthy .upstream.", not a config dump',
      /./,
    ],
    [
      'Kubernetes',
      { apiVersion: 'v1', kind: 'List', items: [] },
      'this is an API object (it has an apiVersion), not a config dump',
      /--resources/,
    ],
    [
      'an empty object',
      {},
      "this JSON object has none of the sections of a ztunnel's config dump",
      /too old/,
    ],
    [
      'other JSON',
      { version: { version: '9.1' }, config: {}, sections: {} },
      'this JSON object has none of the sections of a ztunnel\'s config dump, though it names version "9.1"',
      /too old/,
    ],
  ])('%s', (_name, input, message, hint) => {
    const error = errorOf(input);
    expect(error.message).toBe(message);
    expect(error.hint).toMatch(hint);
  });

  test('escape sequences do not come through', () => {
    expect(errorOf('\x9b31mred\x1b[0m').message).not.toMatch(/[\x1b\x9b]/);
  });
});

describe('a dump that breaks off', () => {
  const text = CAPTURE.toString();
  const within = (key: string) => text.indexOf(`\n  "${key}":`) + 40;
  test.each<[string, readonly Section[], string, string]>([
    ['inside a section', ['certificates'], 'certificates', 'inside its section certificates'],
    ['inside a later one', ['certificates', 'workloads'], 'workloads', 'inside its section workloads'],
    ['before one', ['certificates', 'workloads'], 'services', 'before its section workloads was whole'],
    ['inside config', ['config', 'certificates'], 'config', 'inside its section config'],
  ])('%s', (_name, sections, key, where) => {
    const end = within(key);
    expect(errorOf(text.slice(0, end), { sections }).message).toBe(
      `the config dump breaks off at byte ${end}, ${where}`,
    );
  });

  test('behind what was asked for does not matter', () => {
    expect(readDump(text.slice(0, within('config')), CERTIFICATES).certificates).toHaveLength(5);
  });

  test('at its very first bytes', () => {
    expect(errorOf('{').message).toBe(
      'the config dump breaks off at byte 1, before its section certificates was whole',
    );
  });

  test.each([0.2, 0.5, 0.9])('compressed text after %f of it is broken JSON, not a crash', (part) => {
    const bytes = Buffer.concat([CAPTURE.subarray(0, CAPTURE.length * part), gzipSync(CAPTURE)]);
    expect(() => readDump(bytes)).toThrow(UserError);
  });
});

describe('stopping early', () => {
  test.each<[readonly Section[], number]>([
    [['certificates'], 0.4],
    [['certificates', 'config'], 0.5],
    [['certificates', 'workloadState'], 0.9],
  ])('%j need only the first part', (sections, part) => {
    const reader = createDumpReader({ sections: new Set(sections), keepRaw: false });
    let end = 0;
    while (end < CAPTURE.length && !reader.write(CAPTURE.subarray(end, end + 100))) end += 100;
    expect(end).toBeLessThan(CAPTURE.length * part);
    expect(reader.write(Buffer.from('anything after that'))).toBe(true);
    const dump = reader.end();
    expect([...dump.sections].sort()).toEqual([...sections].sort());
    expect(dump.certificates).toHaveLength(5);
    expect(dump.workloads).toEqual([]);
  });

  test('reads on as long as something asked for has not come, in any order of keys', () => {
    const reversed = Object.fromEntries(Object.entries(JSON.parse(CAPTURE.toString())).reverse());
    expect(readDump(reversed)).toEqual(readDump(CAPTURE));
    const [start, tail] = [JSON.stringify(reversed).slice(0, -2), JSON.stringify(reversed).slice(-2)];
    const reader = createDumpReader({ sections: new Set(['certificates']), keepRaw: false });
    expect(reader.write(Buffer.from(start))).toBe(false);
    expect(reader.write(Buffer.from(tail))).toBe(true);
  });

  test('a map of services is not whole without servicesByHostname', () => {
    const reader = createDumpReader({ sections: new Set(['services']), keepRaw: false });
    const pad = ' '.repeat(600);
    const service = (name: string) => `{"name":"${name}","namespace":"n","hostname":"${name}.n"}`;
    expect(reader.write(Buffer.from(`${pad}{"services":{"/10.0.0.1":${service('a')}}`))).toBe(false);
    expect(
      reader.write(Buffer.from(`,"servicesByHostname":{"b.n":[${service('b')}],"a.n":[${service('a')}]}`)),
    ).toBe(true);
    expect(reader.end().services.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('one broken thing does not sink the others', () => {
  const good = { uid: 'u1', name: 'web' };
  const dump = (sections: Record<string, unknown>) => ({
    certificates: [WEB],
    config: {},
    policies: [],
    services: [],
    workloads: [good],
    ...sections,
  });
  test.each<[string, Record<string, unknown>, string]>([
    [
      'an entry that is a number',
      { certificates: [7, WEB] },
      'certificates[0] is a number, where an object was expected (byte 17)',
    ],
    [
      'an identity that is a list',
      { certificates: [{ identity: [] }, WEB] },
      'certificates[0].identity is a list, where text was expected (byte 17)',
    ],
    ['no identity', { certificates: [{}, WEB] }, 'certificates[0].identity is missing (byte 17)'],
    [
      'a state that is a number',
      { certificates: [{ identity: 'x', state: 1 }, WEB] },
      'certificates[0].state is a number, where text was expected (byte 17)',
    ],
    [
      'a chain that is text',
      { certificates: [{ identity: 'x', certChain: '' }, WEB] },
      'certificates[0].certChain is text, where a list was expected (byte 17)',
    ],
    [
      'a serial that is a number',
      { certificates: [{ identity: 'x', certChain: [{}, { serialNumber: 1 }] }, WEB] },
      'certificates[0].certChain[1].serialNumber is a number, where text was expected (byte 17)',
    ],
    [
      'a root that is null',
      { certificates: [{ identity: 'x', rootCerts: [null] }, WEB] },
      'certificates[0].rootCerts[0] is null, where an object was expected (byte 17)',
    ],
    [
      'addresses that are numbers',
      { workloads: [{ uid: 'x', workloadIps: ['1', 2] }, good] },
      'workloads[0].workloadIps[1] is a number, where text was expected (byte',
    ],
    [
      'a waypoint that is text',
      { workloads: [good, { uid: 'x', waypoint: 'w' }] },
      'workloads[1].waypoint is text, where an object was expected (byte',
    ],
    [
      'a workload of a map',
      { workloads: { '/10.0.0.1': good, '/\u001b': [] } },
      'workloads["/\\u001b"] is a list, where an object was expected (byte',
    ],
    [
      'a nameless workload',
      { workloads: [{ node: 'a' }, good] },
      'workloads[0] has neither a uid nor a name (byte',
    ],
    [
      'a nested service',
      { services: undefined, by_host: { h: [{ name: 's' }, 5] } },
      'by_host["h"][1] is a number, where an object was expected (byte',
    ],
    [
      'a policy',
      { policies: [{ name: 'p', scope: {} }] },
      'policies[0].scope is an object, where text was expected (byte',
    ],
    [
      'a captured pod',
      { workloadState: { u: { info: { name: 3 } } } },
      'workloadState["u"].info.name is a number, where text was expected (byte',
    ],
    ['config', { config: [] }, 'config is a list, where an object was expected (byte'],
    ['a section that is null', { services: null }, 'services is null, where a list was expected'],
    ['a section that is text', { policies: 'none' }, 'policies is text, where a list was expected'],
    [
      'captured pods that are a list',
      { workloadState: [{}] },
      'workloadState is a list, where an object was expected',
    ],
  ])('%s', (_name, sections, message) => {
    const read = readDump(dump(sections));
    expect(read.problems).toHaveLength(1);
    expect(read.problems[0]!.message.slice(0, message.length)).toBe(message);
    expect(read.certificates.map(({ identity }) => identity)).toEqual([WEB.identity]);
    expect(read.workloads.map(({ uid }) => uid)).toEqual(['u1']);
  });

  test('a section of a wrong type is not among those found, and not waited for', () => {
    const read = readDump('{"certificates":{"a":1},"workloads":[', CERTIFICATES);
    expect(read.sections.size).toBe(0);
    expect(read.problems).toEqual([
      { section: 'certificates', message: 'certificates is an object, where a list was expected' },
    ]);
  });

  test('an entry that is not JSON inside its brackets', () => {
    const read = readDump(`{"certificates":[{"identity":nope},${JSON.stringify(WEB)}]}`, CERTIFICATES);
    expect(read.certificates).toHaveLength(1);
    expect(read.problems.map(({ message }) => message)).toEqual([
      'certificates[0] is not valid JSON (byte 17)',
    ]);
  });

  test('many problems are counted, not listed', () => {
    const read = readDump({ certificates: [...Array(500).fill(1), WEB] }, CERTIFICATES);
    expect(read.problems).toHaveLength(MAX_PROBLEMS + 1);
    expect(read.problems.at(-1)!.message).toBe(
      `${500 - MAX_PROBLEMS} more entries of certificates could not be read`,
    );
    expect(read.certificates).toHaveLength(1);
  });

  test('so many problems that the rest is not tried', () => {
    const bad = Array(MAX_BAD_MEMBERS).fill(1);
    const read = readDump({ certificates: [WEB, ...bad, 1, WEB], workloads: [good] });
    expect(read.problems.filter(({ section }) => section === 'certificates').at(-1)!.message).toBe(
      `${MAX_BAD_MEMBERS - MAX_PROBLEMS} more entries of certificates could not be read, and those behind them were not tried`,
    );
    expect([read.certificates.length, read.workloads.length]).toEqual([1, 1]);
  });

  test('problems of sections that were not asked for are not told', () => {
    const read = readDump({ version: 5, ...dump({ certificates: [1] }) }, { sections: ['workloads'] });
    expect(read.problems).toEqual([]);
  });
});

describe('a section that a complete dump does not have', () => {
  const all = JSON.parse(CAPTURE.toString());
  test.each(['certificates', 'config', 'policies', 'services', 'workloads'] as const)(
    '%s is a problem',
    (section) => {
      const { [section]: _gone, ...rest } = all;
      const read = readDump(rest);
      expect(read.problems).toEqual([
        {
          section,
          message: `the config dump has no ${section} section: it is cut down, or of a ztunnel older or newer than this program knows`,
        },
      ]);
      expect(read.sections.has(section)).toBe(false);
    },
  );
  test.each(['workloadState', 'version'] as const)('%s may be missing', (section) => {
    const { [section]: _gone, ...rest } = all;
    expect(readDump(rest).problems).toEqual([]);
  });
  test('an empty one is there', () => {
    const read = readDump({ certificates: [] }, CERTIFICATES);
    expect(read.sections).toEqual(new Set(['certificates']));
    expect(read.problems).toEqual([]);
  });
});

describe('values', () => {
  const one = (certificate: object) =>
    readDump({ certificates: [certificate] }, CERTIFICATES).certificates[0]!;
  const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
  test.each([
    ['text', pem, pem],
    ['base64', Buffer.from(pem).toString('base64'), pem],
    ['an error', '<pem construction error: oops>', ''],
    ['base64 of something else', Buffer.from('hello').toString('base64'), ''],
    ['nothing', '', ''],
  ])('PEM as %s', (_name, sent, decoded) => {
    expect(one({ identity: 'x', certChain: [{ pem: sent }] }).chain[0]!.pem).toBe(decoded);
  });

  test('no roots is not the same as none sent', () => {
    expect(one({ identity: 'x' }).roots).toBeUndefined();
    expect(one({ identity: 'x', rootCerts: null }).roots).toBeUndefined();
    expect(one({ identity: 'x', rootCerts: [] }).roots).toEqual([]);
  });

  test('the leaf of 1.18–1.21 comes first', () => {
    const entry = one({
      identity: 'x',
      cert_chain: [{ serial_number: '2' }, { serial_number: '3' }],
      ca_cert: [{ serial_number: '1' }],
    });
    expect(entry.chain.map(({ serialNumber }) => serialNumber)).toEqual(['1', '2', '3']);
  });

  test.each([
    [
      'hboneMtlsPort',
      { destination: 'shop/w.shop', hboneMtlsPort: 15008 },
      { destination: 'shop/w.shop', port: 15008 },
    ],
    ['port (1.19–1.21)', { destination: '/fd00::1', port: 15008 }, { destination: '/fd00::1', port: 15008 }],
    ['neither', { destination: 'net/10.0.0.1' }, { destination: 'net/10.0.0.1', port: undefined }],
  ])('waypoint with %s', (_name, waypoint, expected) => {
    expect(readDump({ workloads: [{ uid: 'u', waypoint }] }).workloads[0]!.waypoint).toEqual(expected);
  });

  test('what ztunnel leaves out', () => {
    const { raw: _raw, ...workload } = readDump({ workloads: [{ uid: 'u' }] }).workloads[0]!;
    expect(workload).toMatchObject({
      serviceAccount: 'default',
      trustDomain: 'cluster.local',
      addresses: [],
      node: '',
      waypoint: undefined,
      nativeTunnel: false,
    });
  });

  test('1.18: waypointAddresses, nativeHbone', () => {
    const workloads = {
      '10.0.0.1': { name: 'w', workloadIp: '10.0.0.1', waypointAddresses: ['10.0.0.9'], nativeHbone: true },
    };
    expect(readDump({ workloads }).workloads[0]).toMatchObject({
      addresses: ['10.0.0.1'],
      nativeTunnel: true,
      waypoint: { destination: '/10.0.0.9' },
    });
  });

  test.each([
    [
      '1.18',
      'vips',
      { '[fd00::10]:80': [['fd00::1', 8080]], '10.0.0.1:80': [], '10.0.0.1:443': [] },
      ['/10.0.0.1', '/fd00::10'],
    ],
  ])('services of %s are addresses', (_name, key, value, vips) => {
    expect(
      readDump({ [key]: value }, { sections: ['services'] }).services.map((service) => service.vips),
    ).toEqual(vips.map((vip) => [vip]));
  });

  test.each<[string, object, string | undefined]>([
    ['istioVersion', { istioVersion: '1.26.0', version: 'abc' }, '1.26.0'],
    ['version, when the other is not known', { istioVersion: 'unknown', version: '1.24.0' }, '1.24.0'],
    ['snake_case', { istio_version: '1.21.0' }, '1.21.0'],
    ['neither', { istioVersion: 'unknown', version: 'unknown' }, undefined],
  ])('the version: %s', (_name, version, expected) => {
    expect(readDump({ version, certificates: [] }).version).toBe(expected);
  });

  test('the last of equal keys counts, with its problems', () => {
    const text = `{"workloads":[5,{"uid":"a"}],"workloads":[{"uid":"b"}],"certificates":[${JSON.stringify(WEB)}],"certificates":[]}`;
    const read = readDump(text, { sections: ['certificates', 'workloads', 'policies'] });
    expect(read.workloads.map(({ uid }) => uid)).toEqual(['b']);
    expect(read.certificates).toEqual([]);
    expect(read.problems.map(({ section }) => section)).toEqual(['policies']);
  });

  test('where two maps have the same workload, the complete one counts, in any order', () => {
    const [by_uid, by_addr] = [
      { u: { uid: 'u', name: 'whole' } },
      { '/10.0.0.1': { uid: 'u', name: 'other' } },
    ];
    for (const maps of [
      { by_uid, by_addr, certificates: [] },
      { by_addr, by_uid },
    ]) {
      expect(readDump(maps).workloads.map(({ name }) => name)).toEqual(['whole']);
    }
  });

  test('workloads without a uid are told apart by where they stand', () => {
    const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { uid: 'c' }];
    expect(readDump({ workloads: { 1: a, 2: b } }).workloads.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(readDump({ workloads: [a, b], by_addr: { 1: c, 2: c } }).workloads).toHaveLength(3);
    const by_host = {
      h: [
        { name: 's', namespace: 'x' },
        { name: 's', namespace: 'y' },
      ],
    };
    expect(readDump({ by_host }).services.map(({ namespace }) => namespace)).toEqual(['x', 'y']);
  });

  test('members of maps come in the order of their uids, lists as sent', () => {
    const [a, b] = [{ uid: 'a' }, { uid: 'b' }];
    expect(readDump({ workloads: { 2: b, 1: a, x: b } }).workloads.map(({ uid }) => uid)).toEqual(['a', 'b']);
    expect(readDump({ workloads: [b, a] }).workloads.map(({ uid }) => uid)).toEqual(['b', 'a']);
  });
});

describe('raw', () => {
  test('is not kept unless asked for', () => {
    const { certificates, workloads, config } = readDump(CAPTURE);
    expect([certificates[0]!.raw, workloads[0]!.raw, config.raw]).toEqual([undefined, undefined, undefined]);
  });

  test('is what was sent', () => {
    const sent = JSON.parse(CAPTURE.toString());
    const read = readDump(CAPTURE, { keepRaw: true });
    expect(read.certificates.map(({ raw }) => raw)).toEqual(sent.certificates);
    expect(read.workloads.map(({ raw }) => raw)).toEqual(sent.workloads);
    expect(read.services.map(({ raw }) => raw)).toEqual(sent.services);
    expect(read.policies.map(({ raw }) => raw)).toEqual(sent.policies);
    expect(read.capturedPods.map(({ raw }) => raw)).toEqual(Object.values(sent.workloadState));
    expect(read.config.raw).toEqual(sent.config);
  });

  test.each([
    ['12345678901234567890', '"12345678901234567890"'],
    ['-9007199254740993', '"-9007199254740993"'],
    ['[9007199254740993]', '["9007199254740993"]'],
    ['1e400', '"1e400"'],
    ['9007199254740991', '9007199254740991'],
    ['0.1000000000000000055', '0.1'],
    ['"12345678901234567890"', '"12345678901234567890"'],
  ])('keeps the digits of %s', (sent, kept) => {
    const read = readDump(`{"workloads":[{"uid":"u","x":${sent}}]}`, {
      sections: ['workloads'],
      keepRaw: true,
    });
    expect(JSON.stringify(read.workloads[0]!.raw)).toBe(`{"uid":"u","x":${kept}}`);
  });
});

describe('hostile dumps', () => {
  test('__proto__ and constructor are data', () => {
    const text = `{"__proto__":[1],"constructor":{},"workloads":{"__proto__":{"uid":"a","__proto__":{"name":"x"}},"constructor":{"uid":"b"}},"certificates":[{"identity":"i","__proto__":{"state":"Available"}}]}`;
    const read = readDump(text, { sections: ['certificates', 'workloads'], keepRaw: true });
    expect(read.workloads.map(({ uid, name }) => [uid, name])).toEqual([
      ['a', ''],
      ['b', ''],
    ]);
    expect(read.certificates[0]!.state).toBe('');
    expect(Object.keys(read.certificates[0]!.raw!)).toEqual(['identity', '__proto__']);
    expect(({} as { state?: unknown; name?: unknown }).state).toBeUndefined();
  });

  test('too deep', () => {
    for (const sections of [['certificates'], ['workloads']] as const) {
      const text = `{"certificates":[${'['.repeat(100_000)}`;
      expect(errorOf(text, { sections }).message).toMatch(
        /^the config dump has brackets nested deeper than 256 levels at byte \d+$/,
      );
    }
  });

  test('a value that is too long', () => {
    const reader = createDumpReader({ sections: new Set(['certificates']), keepRaw: false });
    reader.write(Buffer.from(`${' '.repeat(600)}{"certificates":["`));
    const piece = Buffer.alloc(4 * 1024 * 1024, 0x78);
    const write = () => {
      for (let bytes = 0; bytes <= MAX_ELEMENT_BYTES; bytes += piece.length) reader.write(piece);
    };
    expect(write).toThrow(`the config dump has a value of more than ${MAX_ELEMENT_BYTES} bytes at byte 617`);
  });

  test('too many entries', () => {
    const text = `{"certificates":[${'1,'.repeat(MAX_MEMBERS)}1]}`;
    expect(() => readDump(text, CERTIFICATES)).toThrow(
      `the config dump has more than ${MAX_MEMBERS} entries`,
    );
  });

  test('too many bytes', () => {
    const reader = createDumpReader({ sections: new Set(['certificates']), keepRaw: false });
    reader.write(Buffer.from('{"x":"'.padStart(1000)));
    const piece = Buffer.alloc(64 * 1024 * 1024, 0x78);
    const write = () => {
      for (let bytes = 0; bytes <= MAX_DUMP_BYTES; bytes += piece.length) reader.write(piece);
    };
    expect(write).toThrow(`the config dump has more than ${MAX_DUMP_BYTES} bytes`);
  });

  const change = fc.record({
    at: fc.nat(CAPTURE.length - 1),
    remove: fc.nat(60),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc
        .constantFrom('"', '{', '}', '[', ']', ',', '\\', 'null', '1e999', '{"a":')
        .map((text) => Buffer.from(text)),
    ),
  });
  const changed = (changes: readonly { at: number; remove: number; insert: Uint8Array }[]) =>
    changes.reduce(
      (bytes, { at, remove, insert }) =>
        Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
      CAPTURE,
    );

  test('damage anywhere gives a dump or a UserError, whichever way it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.subarray([...SECTIONS], { minLength: 1 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.boolean(),
        (changes, sections, chunk, keepRaw) => {
          const bytes = changed(changes);
          const attempt = (options: ReadOptions) => {
            try {
              return readDump(bytes, options);
            } catch (error) {
              if (!(error instanceof UserError)) throw error;
              return error.message;
            }
          };
          const outcome = attempt({ sections, keepRaw });
          expect(attempt({ sections, keepRaw, chunk })).toEqual(outcome);
        },
      ),
      { seed: 20261129, numRuns: 150 },
    );
  });
});
