// What one input holds, in whatever form: documents, one after the other, etcdctl's key/value pairs among them.

import { isUtf8 } from 'node:buffer';
import { UserError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { hasMagic } from '../kube/kubeproto.ts';
import { decodeJsonText, decodeText, decodeYamlText, MAX_BYTES } from '../kube/kubetext.ts';
import { decodeBytes, type Encoding } from './encodings.ts';
import type { Findings } from './findings.ts';
import { exactNumber, parseExactJson, splitJson } from './json.ts';
import { decodeEnveloped, decodeMessage, type ObjectDocument } from './protobuf.ts';
import { decodeValue } from './values.ts';

export interface InputOptions {
  /** What raw message bytes are; envelopes say it themselves. */
  readonly type: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly encoding: Encoding | undefined;
  /** Those of the place: a key of etcd, or '' for the input itself. */
  readonly findingsAt: (key: string) => Findings;
}

/** No text begins with these, but most messages do. */
const CONTROLS = /[\x00-\x08\x0e-\x1f]/;

/** First bytes of what people give by mistake, and at which offset they stand. */
const ETCD_DATABASE = { offset: 16, bytes: [0xed, 0xda, 0x0c, 0xed] } as const;

function refuseDatabase(bytes: Uint8Array): void {
  if (!ETCD_DATABASE.bytes.every((byte, index) => bytes[ETCD_DATABASE.offset + index] === byte)) return;
  throw new UserError(
    "this is etcd's database, not what it holds",
    'Restore it with etcdutl snapshot restore, start etcd on it, and give what etcdctl get --prefix -w json prints.',
  );
}

function decodeEtcdValue(value: Uint8Array, findings: Findings): ObjectDocument {
  if (hasMagic(value)) return decodeEnveloped(value, findings);
  const start = Buffer.from(value.subarray(0, 100)).toString('latin1');
  if (start.startsWith('{')) {
    const text = decodeText(value);
    return decodeValue(decodeJsonText(text, parseExactJson), { budget: { left: text.length }, findings });
  }
  const [, provider] = /^k8s:enc:(\w+):/.exec(start) ?? [];
  throw provider === undefined
    ? new UserError('the value is no Kubernetes object', 'Ask etcd for keys below /registry/ only.')
    : new UserError(
        `the value is encrypted by the API server (${provider})`,
        'Only the API server can read it: get the object from there.',
      );
}

function* decodeEtcd(value: unknown, { findingsAt }: InputOptions): Generator<ObjectDocument> {
  for (const { key, value: held } of etcdPairs(value)) {
    const findings = findingsAt(key);
    try {
      yield decodeEtcdValue(held(), findings);
    } catch (thrown) {
      findings.broken(thrown);
    }
  }
  const cut = etcdCut(value);
  if (cut !== undefined) findingsAt('').cutShort(cut.given, cut.count);
}

function* decodeTexts(
  values: Iterable<unknown>,
  length: number,
  options: InputOptions,
): Generator<ObjectDocument> {
  const findings = options.findingsAt('');
  const context = { budget: { left: length }, findings };
  for (const value of values) {
    if (isEtcdOutput(value)) {
      yield* decodeEtcd(value, options);
      continue;
    }
    try {
      yield decodeValue(value, context);
    } catch (thrown) {
      findings.broken(thrown);
    }
  }
}

function* parseEach(text: string): Generator<unknown> {
  for (const value of splitJson(text)) yield decodeJsonText(value, parseExactJson);
}

/** Throws UserError on bytes that are no text: without an envelope they say nothing about themselves. */
function readText(bytes: Uint8Array): string {
  if (
    isUtf8(bytes) &&
    !bytes.includes(0) &&
    !CONTROLS.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))
  ) {
    return decodeText(bytes);
  }
  throw new UserError(
    'this is not Kubernetes protobuf in its envelope, and no text either',
    'If it is a message without an envelope, say of which type: --type coordination.k8s.io/v1.Lease.',
  );
}

function decodeAsText(bytes: Uint8Array, options: InputOptions): Iterable<ObjectDocument> {
  const text = readText(bytes);
  const values = /^\s*[{[]/.test(text) ? parseEach(text) : decodeYamlText(text, exactNumber);
  return decodeTexts(values, text.length, options);
}

function refuseType(given: NonNullable<InputOptions['type']>, head: ObjectDocument['head']): void {
  if (given.apiVersion === head.apiVersion && given.kind === head.kind) return;
  throw new UserError(
    `--type says ${given.apiVersion}.${given.kind}, but the envelope says ${head.apiVersion}.${head.kind}`,
    'Leave --type out: it is for messages without an envelope.',
  );
}

function* decodeBinary(bytes: Uint8Array, { type, findingsAt }: InputOptions): Generator<ObjectDocument> {
  const document = decodeEnveloped(bytes, findingsAt(''));
  if (type !== undefined) refuseType(type, document.head);
  yield document;
}

/**
 * The documents of an input. Recognised by its bytes: protobuf in its envelope, etcdctl's JSON, JSON (several values
 * too), YAML, and base64 or hex of any of these; with `type`, anything else is a message of that type. Broken documents
 * are told to the findings; throws UserError where no further one can be found.
 */
export function* decodeInput(given: Uint8Array, options: InputOptions): Generator<ObjectDocument> {
  if (given.length === 0) throw new UserError('the input is empty', 'Fetch or save the objects again.');
  if (given.length > MAX_BYTES) throw new UserError(`this is larger than ${MAX_BYTES} bytes`, 'Split it.');
  const { type, encoding } = options;
  const bytes = decodeBytes(given, encoding, type !== undefined);
  refuseDatabase(bytes);
  if (hasMagic(bytes)) yield* decodeBinary(bytes, options);
  else if (type === undefined) yield* decodeAsText(bytes, options);
  else yield decodeMessage({ ...type, raw: bytes, offset: 0 }, options.findingsAt(''));
}

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
