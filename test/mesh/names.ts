// How made-up Kubernetes objects get their names, uids and ages: always the same ones for the same words.

import { createHash } from 'node:crypto';

/** The letters that Kubernetes takes for generated suffixes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A suffix as a controller generates it, such as `x7k2p`. */
export function suffix(seed: string, length: number): string {
  return [...digest(seed).subarray(0, length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The uid of an object, in the shape of a version 4 UUID. */
export function uidOf(kind: string, namespace: string, name: string): string {
  const hex = digest(`${kind}/${namespace}/${name}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A whole number from 0 up to, but without, `limit`. */
export function numberOf(seed: string, limit: number): number {
  return digest(seed).readUInt32BE(0) % limit;
}

/** RFC 3339 in whole seconds, `seconds` before `at`. */
export function before(at: string, seconds: number): string {
  return new Date(new Date(at).getTime() - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** `namespace/name` in two; `default` where there is no namespace. */
export function splitName(full: string): { namespace: string; name: string } {
  const slash = full.indexOf('/');
  return slash < 0
    ? { namespace: 'default', name: full }
    : { namespace: full.slice(0, slash), name: full.slice(slash + 1) };
}

/** Code unit order, which is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function digest(seed: string): Buffer {
  return createHash('sha256').update(seed).digest();
}
