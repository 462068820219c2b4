// The same dump read the same, compact or pretty-printed, in chunks of any size, also where some of its members are bad.

import { describe, expect, test } from '@jest/globals';
import { readDump } from './readdump.ts';

const workload = (index: number) => ({
  uid: `c//Pod/ns/w${index}`,
  name: `w${index}`,
  namespace: 'ns',
  node: 'a',
});
const WORKLOADS = Array.from({ length: 40 }, (_, index) => workload(index));
const dumpOf = (workloads: readonly unknown[]) => ({
  certificates: [],
  config: {},
  policies: [],
  services: [],
  workloads,
});

/** The path and offset of what could not be read, without the offset's number. */
const complaints = (text: string, chunk?: number) =>
  readDump(text, { chunk }).problems.map(({ message }) => message.replace(/byte \d+/, 'byte N'));

describe.each([0, 1, 2, 4])('indented by %d', (indent) => {
  const text = JSON.stringify(dumpOf(WORKLOADS), null, indent);

  test.each([1, 100, 1000, 5000, 1e6])('in chunks of %d bytes', (chunk) => {
    const names = readDump(text, { chunk }).workloads.map(({ name }) => name);
    expect(names).toEqual(WORKLOADS.map(({ name }) => name));
  });

  test('a bad member is named by its place, and the others are read', () => {
    const bad = JSON.stringify(dumpOf(WORKLOADS.with(7, {} as never)), null, indent);
    expect(complaints(bad)).toEqual(['workloads[7] has neither a uid nor a name (byte N)']);
    expect(readDump(bad).workloads).toHaveLength(39);
    const offset = Number(/byte (\d+)/.exec(readDump(bad).problems[0]?.message ?? '')?.[1]);
    expect(bad.slice(offset, offset + 2)).toBe('{}');
  });

  test('what is no JSON is named too', () => {
    expect(complaints(text.replace(/"w30"/, 'w30'))).toEqual(['workloads[30] is not valid JSON (byte N)']);
  });

  test('keeps every member as it was sent where that is asked for', () => {
    const raws = readDump(text, { keepRaw: true }).workloads.map(({ raw }) => raw);
    expect(raws).toEqual(WORKLOADS);
  });
});
