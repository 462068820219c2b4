// The envelope that the API server and etcd put around an object in protobuf.

import { Reader } from 'protobufjs/minimal.js';
import { UserError } from '../../base/errors.ts';
import { MESSAGES } from '../generated/messages.ts';

/** `k8s\0` */
const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own bytes, a view and no copy. */
  readonly raw: Uint8Array;
  /** Where they begin in the whole, for messages. */
  readonly offset: number;
}

export function hasMagic(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/** A UserError that says where protobuf breaks; anything but the decoder's own errors is given back as it is. */
export function asBroken(thrown: unknown, what: string, offset: number): unknown {
  if (!(thrown instanceof Error) || (thrown.constructor !== Error && !(thrown instanceof RangeError)))
    return thrown;
  return new UserError(
    `the protobuf of ${what} is cut off or corrupt at byte ${offset}`,
    'Fetch or save it again, whole and unchanged.',
    { cause: thrown },
  );
}

/** What runtime.Unknown holds, once read. */
interface Unknown {
  readonly typeMeta?: { readonly apiVersion?: string; readonly kind?: string };
  readonly raw?: Uint8Array;
  readonly contentEncoding?: string;
  readonly contentType?: string;
}

/** Reads what stands behind the magic. Throws UserError if it is broken or wrapped in a way that is not read here. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  // A Buffer, because readText needs one; a view, no copy.
  const reader = Reader.create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  reader.pos = MAGIC.length;
  let unknown: Unknown;
  try {
    unknown = MESSAGES['k8s.io.apimachinery.pkg.runtime.Unknown'].read(reader, reader.len, {}) as Unknown;
  } catch (thrown) {
    throw asBroken(thrown, 'the envelope', reader.pos);
  }
  const { typeMeta, raw = bytes.subarray(bytes.length), contentEncoding, contentType } = unknown;
  if (contentEncoding || contentType) {
    throw new UserError(
      `the protobuf envelope holds ${JSON.stringify(contentType || contentEncoding)} instead of plain protobuf`,
      'Save the object as JSON instead.',
    );
  }
  const { apiVersion = '', kind = '' } = typeMeta ?? {};
  return { apiVersion, kind, raw, offset: raw.byteOffset - bytes.byteOffset };
}
