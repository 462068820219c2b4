// What is read of a certificate's DER, and that no bytes at all make reading it fail.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readChildren, readElement } from '../../../src/model/certificates/der.ts';
import { readTlsFacts, type TlsFacts } from '../../../src/model/certificates/tlsfacts.ts';
import { createCertificateReader } from '../../../src/model/certificates/x509.ts';
import { CART } from '../values.ts';
import { CLIENT, der, EXTENSIONS, extension, make, oid, SERVER, sequence } from './maker.ts';

const root = make({ name: 'Root', extensions: [EXTENSIONS.authority(3), EXTENSIONS.keyUsage(0x06)] });
const leaf = make({
  by: root,
  extensions: [EXTENSIONS.notAuthority(), EXTENSIONS.usages(SERVER, CLIENT), EXTENSIONS.uri(CART)],
});

const facts = (...extensions: readonly Uint8Array[]): TlsFacts =>
  readTlsFacts(make({ by: root, extensions }).der);

test('of an authority', () => {
  expect(readTlsFacts(root.der)).toEqual({
    issuerName: '310d300b06035504030c04526f6f74',
    subjectName: '310d300b06035504030c04526f6f74',
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
    keyName: 'P-256',
    signature: 'ecdsa-with-SHA256',
    isAuthority: true,
    pathLength: 3,
    usages: null,
    names: [],
    constraints: null,
    defect: null,
    anchorDefect: null,
  });
});

test('of a leaf', () => {
  expect(readTlsFacts(leaf.der)).toMatchObject({
    subjectName: '',
    isAuthority: false,
    pathLength: null,
    usages: [SERVER, CLIENT],
    names: [{ kind: 'uri', value: CART }],
    defect: null,
  });
});

test('two certificates of one key have the same key, those of others another', () => {
  const again = make({ name: 'Other', keys: root.keys });
  expect(readTlsFacts(again.der).key).toBe(readTlsFacts(root.der).key);
  expect(readTlsFacts(leaf.der).key).not.toBe(readTlsFacts(root.der).key);
});

describe('names', () => {
  const names = (...list: readonly Uint8Array[]) =>
    createCertificateReader()(make({ by: root, extensions: [EXTENSIONS.names(...list)] }).listed)?.uris;
  test.each([
    ['one', [der(0x86, CART)], [CART]],
    [
      'among others',
      [der(0x82, 'a.example'), der(0x86, CART), der(0x87, '\x0a\0\0\x01'), der(0x86, 'b:')],
      [CART, 'b:'],
    ],
    ['what looks like another entry', [der(0x82, `a, URI:${CART}`), der(0x86, 'x, URI:y')], ['x, URI:y']],
    ['an empty one', [der(0x86, '')], ['']],
    ['with line breaks', [der(0x86, 'a\nb')], ['a\nb']],
    ['none', [], []],
  ])('%s', (_name, list, uris) => expect(names(...list)).toEqual(uris));
});

describe('what makes it unfit', () => {
  const TWICE = 'has the extension 2.5.29.19 twice';
  test.each([
    ['nothing', [EXTENSIONS.authority()], null, null],
    ['an extension twice', [EXTENSIONS.authority(), EXTENSIONS.authority()], TWICE, TWICE],
    [
      'a critical extension, which a root may have',
      [extension('1.2.3', true, der(5))],
      'has the critical extension 1.2.3, which rustls does not know',
      null,
    ],
    ['the same, not critical', [extension('1.2.3', false, der(5))], null, null],
    [
      'a path length of two bytes, which a root may have',
      [extension('2.5.29.19', true, sequence(der(1, '\xff'), der(2, '\x01\0')))],
      'has an extension 2.5.29.19 that can not be read',
      null,
    ],
    [
      'basic constraints that are no list',
      [extension('2.5.29.19', true, der(5))],
      'has an extension 2.5.29.19 that can not be read',
      'has an extension 2.5.29.19 that can not be read',
    ],
  ])('%s', (_name, extensions, defect, anchorDefect) => {
    expect(facts(...extensions)).toMatchObject({ defect, anchorDefect });
  });

  test('what is not DER has no names, and can not be anything', () => {
    const unreadable = 'is not encoded as X.509 asks for (DER)';
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('no certificate'),
      Buffer.concat([leaf.der, Buffer.from([0])]),
    ]) {
      expect(readTlsFacts(bytes)).toMatchObject({
        defect: unreadable,
        anchorDefect: unreadable,
        subjectName: '',
      });
    }
  });
});

test('uses are read up to what can not be one', () => {
  const broken = extension('2.5.29.37', false, sequence(oid(SERVER), der(5), oid(CLIENT)));
  expect(facts(broken)).toMatchObject({ usages: [SERVER], defect: null });
});

test('constraints that can not be read refuse everything, as those on directory names do', () => {
  expect(facts(extension('2.5.29.30', true, sequence(der(0xa1, der(5))))).constraints).toEqual({
    permitted: [{ kind: 'directory', value: '' }],
    excluded: [],
  });
});

describe('whatever the bytes', () => {
  const bytesOf = (...seeds: readonly Buffer[]) =>
    fc
      .tuple(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
        fc.option(fc.nat(), { nil: undefined }),
      )
      .map(([seed, edits, cut]) => {
        const bytes = Buffer.from(seed);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        return cut === undefined ? bytes : bytes.subarray(0, cut % bytes.length);
      });

  test('reading a certificate ends, without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), bytesOf(root.der, leaf.der)), (bytes) => {
        const read = readTlsFacts(bytes);
        expect(read).toEqual(readTlsFacts(Buffer.from(bytes)));
        if (read.defect === null) expect(read.key).toMatch(/^[0-9a-f]{64}$/);
      }),
      { numRuns: 3_000 },
    );
  });

  test('elements lie within their parent, one behind the other', () => {
    fc.assert(
      fc.property(bytesOf(root.der, leaf.der), (bytes) => {
        let children: ReturnType<typeof readChildren>;
        try {
          children = readChildren(bytes, readElement(bytes, 0, bytes.length));
        } catch {
          return;
        }
        let end = children[0]?.begin ?? 0;
        for (const { begin, from, to } of children) {
          expect(begin).toBe(end);
          expect(from).toBeGreaterThan(begin + 1);
          expect(to).toBeGreaterThanOrEqual(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 1_000 },
    );
  });
});
