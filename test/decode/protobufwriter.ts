// How a test writes protobuf by field number, and puts Kubernetes' envelope around it.

/** Numbers are varints; text, bytes and messages have a length. */
export type WireValue = number | bigint | string | Uint8Array | WireMessage;
/** By field number, ascending; a list is a field that comes several times. */
export interface WireMessage {
  readonly [id: number]: WireValue | readonly WireValue[];
}

const VARINT = 0;
const BYTES = 2;

function varint(value: bigint | number): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(left)]);
}

function field(id: number, value: WireValue): Uint8Array {
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Buffer.concat([varint((id << 3) | VARINT), varint(value)]);
  }
  const isBytes = typeof value === 'string' || value instanceof Uint8Array;
  const bytes = isBytes ? Buffer.from(value) : message(value);
  return Buffer.concat([varint((id << 3) | BYTES), varint(bytes.length), bytes]);
}

export function message(fields: WireMessage): Uint8Array {
  const parts = Object.entries(fields).flatMap(([id, value]) =>
    [value].flat().map((each) => field(Number(id), each as WireValue)),
  );
  return Buffer.concat(parts);
}

/** The bytes that the API server would send of an object of this type. */
export function envelope(
  apiVersion: string,
  kind: string,
  raw: Uint8Array | WireMessage,
  more: WireMessage = {},
): Uint8Array {
  const object = raw instanceof Uint8Array ? raw : message(raw);
  return Buffer.concat([
    Buffer.from('k8s\0'),
    message({ 1: { 1: apiVersion, 2: kind }, 2: object, ...more }),
  ]);
}
