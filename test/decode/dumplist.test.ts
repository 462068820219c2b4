// Where the dumps stand in a list of them, however it is laid out and in whatever chunks it comes.

import { describe, expect, test } from '@jest/globals';
import { recognizeForm, yamlDumpToJson } from '../../src/decode/dump/form.ts';
import { createItemReader, createListReader, type SpanReader } from '../../src/decode/dump/list.ts';

const dumps = [{ certificates: [], text: 'a "dump" }] of é' }, { config: { items: [1, { dump: 2 }] } }, {}];
const list = {
  apiVersion: 'ztunnel.kubectl/v1',
  kind: 'ConfigDumpList',
  items: dumps.map((dump, index) => ({ ztunnel: { namespace: 'istio-system', name: `z-${index}` }, dump })),
  failures: [{ message: 'dump' }],
};

function read<T>(reader: SpanReader<T>, bytes: Buffer, chunk: number): T {
  for (let at = 0; at < bytes.length; at += chunk) reader.write(bytes.subarray(at, at + chunk));
  return reader.end();
}

describe('a list of dumps', () => {
  const layouts = [0, 1, 4].flatMap((indent) => [1, 2, 7, 1000].map((chunk) => [indent, chunk] as const));

  test.each(layouts)('indented by %d, in chunks of %d bytes', (indent, chunk) => {
    const bytes = Buffer.from(JSON.stringify(list, null, indent));
    const items = read(createListReader(), bytes, chunk);
    const found = items.map(({ start, end }) => {
      const item = bytes.subarray(start, end);
      const { ztunnel, dump } = read(createItemReader(), item, chunk);
      return { name: ztunnel?.name, dump: JSON.parse(item.subarray(dump.start, dump.end).toString()) };
    });
    expect(found).toEqual(dumps.map((dump, index) => ({ name: `z-${index}`, dump })));
  });

  test('says whose a dump is only as far as it is told', () => {
    const tell = (ztunnel: unknown) =>
      read(createItemReader(), Buffer.from(JSON.stringify({ ztunnel, dump: {} })), 9).ztunnel;
    expect(tell({ name: 'z' })).toEqual({ namespace: null, name: 'z' });
    expect([tell({ name: '' }), tell({ name: 1 }), tell('z'), tell(undefined)]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('the form of a saved dump', () => {
  test.each([
    ['{"certificates": []}', 'dump'],
    ['{"apiVersion": "v1"}', 'dump'],
    [JSON.stringify(list), 'list'],
    [`\ufeff${JSON.stringify(list, null, 2)}`, 'list'],
    ['apiVersion: ztunnel.kubectl/v1\n', 'yaml'],
    ['---\ncertificates: []\n', 'yaml'],
    ['certificates:\n- identity: x\n', 'yaml'],
    ['note: x', 'yaml'],
    ['no colon here', 'dump'],
    ['http://x', 'dump'],
    ['', 'dump'],
  ])('of %j is %s', (text, form) => {
    expect(recognizeForm(Buffer.from(text))).toBe(form);
  });

  const json = (yaml: string) => yamlDumpToJson(Buffer.from(yaml))?.toString();
  test.each([
    ['certificates: []\n', '{"certificates":[]}'],
    ['apiVersion: ztunnel.kubectl/v1\nitems: []\n', '{"apiVersion":"ztunnel.kubectl/v1","items":[]}'],
    ['config: {a: 12345678901234567890}\n', '{"config":{"a":"12345678901234567890"}}'],
    ['apiVersion: v1\nkind: Pod\n', undefined],
    ['certificates: []\n---\ncertificates: []\n', undefined],
  ])('YAML %j is %j in JSON', (yaml, expected) => {
    expect(json(yaml)).toBe(expected);
  });

  test('a bomb of aliases is refused', () => {
    const levels = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`);
    expect(() => json(`certificates: &a0 [x]\n${levels.join('\n')}\n`)).toThrow(/through aliases/);
  });
});
