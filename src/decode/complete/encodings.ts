// How bytes that were written down as text become bytes again.

import { UserError } from '../../base/errors.ts';
import { hasMagic } from '../kube/kubeproto.ts';

/** How bytes can be written down; `raw` is not as text. */
export type Encoding = 'raw' | 'base64' | 'hex';

const HINT = 'Leave --encoding out to have it recognised.';
/** Both of base64's alphabets; white space is layout. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const HEX = /^(?:[0-9a-fA-F]{2})+$/;

function compact(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').replace(/\s+/g, '');
}

function fromHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/i, '');
  return HEX.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

function fromBase64(text: string): Uint8Array | undefined {
  const body = text.replace(/=+$/, '');
  return BASE64.test(text) && body.length % 4 !== 1 ? Buffer.from(body, 'base64') : undefined;
}

const DECODE = { base64: fromBase64, hex: fromHex } as const;

/** Says by its first bytes what it is: protobuf in its envelope, JSON, or YAML as kubectl writes it. */
function looksLikeObjects(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  return hasMagic(bytes) || /^\s*\{/.test(start) || /^(?:kind|apiVersion|items|metadata):/m.test(start);
}

/** Enough to tell by the alphabet that it is neither, without copying all of it. */
const SAMPLE = 4096;

/**
 * The bytes behind base64 or hex text, or the same bytes. Recognised by what is behind them; `anything` takes them for
 * encoded whatever is behind them, as raw messages have no first bytes of their own. Throws UserError if the encoding
 * is given and the text is not of it.
 */
export function decodeBytes(
  bytes: Uint8Array,
  encoding: Encoding | undefined,
  anything: boolean,
): Uint8Array {
  if (encoding === 'raw') return bytes;
  if (encoding !== undefined) {
    const decoded = DECODE[encoding](compact(bytes));
    if (decoded !== undefined) return decoded;
    throw new UserError(`this is not ${encoding}`, HINT);
  }
  if (!/^[\w+/=-]*$/.test(compact(bytes.subarray(0, SAMPLE)))) return bytes;
  const text = compact(bytes);
  const found = [fromHex(text), fromBase64(text)].find(
    (decoded) => decoded !== undefined && (anything || looksLikeObjects(decoded)),
  );
  return found ?? bytes;
}
