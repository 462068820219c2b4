// How the key/value pairs that etcdctl prints as JSON are taken apart.

import { UserError } from '../../base/errors.ts';
import { isObject } from '../kube/cut.ts';

export interface EtcdPair {
  /** `/registry/leases/shop/cart-leader` */
  readonly key: string;
  /** Throws UserError if the value is no base64. */
  readonly value: () => Uint8Array;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodeBase64(text: unknown, what: string): Uint8Array {
  if (typeof text === 'string' && text.length % 4 === 0 && BASE64.test(text))
    return Buffer.from(text, 'base64');
  throw new UserError(`${what} is not base64`, 'Save it again with etcdctl get -w json, unchanged.');
}

/** True for what `etcdctl get -w json` prints; without a match it has no kvs. */
export function isEtcdOutput(value: unknown): boolean {
  if (!isObject(value) || 'kind' in value) return false;
  return Array.isArray(value.kvs) || (isObject(value.header) && 'revision' in value.header);
}

/** The pairs in the order in which they were printed. */
export function* etcdPairs(value: unknown): Generator<EtcdPair> {
  const { kvs = [] } = value as { readonly kvs?: readonly unknown[] };
  for (const [index, pair] of kvs.entries()) {
    const { key, value: held } = isObject(pair) ? pair : {};
    const name = new TextDecoder().decode(decodeBase64(key, `the key of kvs[${index}]`));
    yield { key: name, value: () => decodeBase64(held ?? '', 'the value') };
  }
}

/** How much of what was asked for is there; undefined if all is. etcd says `more` where a limit cut its answer. */
export function etcdCut(
  value: unknown,
): { readonly given: number; readonly count: number | undefined } | undefined {
  const { more, count, kvs } = value as Readonly<Record<string, unknown>>;
  if (more !== true) return undefined;
  const given = Array.isArray(kvs) ? kvs.length : 0;
  return { given, count: Number.isSafeInteger(count) && Number(count) > given ? Number(count) : undefined };
}
