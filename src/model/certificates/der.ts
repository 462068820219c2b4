// How DER is read: one element after the other, within the bounds that rustls-webpki sets.

/**
 * An element: its tag byte, and where in the bytes it and its content stand. Nothing is copied.
 *
 * Written here because each distinct certificate of a mesh is read, 30,000 of them for one table: all that is asked of one takes
 * 4 µs this way, and its elements alone 200 to 700 µs with @peculiar/asn1-x509, asn1js or pkijs, which take BER for DER besides.
 */
export interface Element {
  readonly tag: number;
  readonly begin: number;
  readonly from: number;
  readonly to: number;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
} as const;

/** A context-specific tag that other elements stand in, `[n]`. */
export function constructed(number: number): number {
  return 0xa0 | number;
}

/** A context-specific tag in front of plain bytes, `[n] IMPLICIT`. */
export function primitive(number: number): number {
  return 0x80 | number;
}

/** What is not DER, or longer than 64 KB: then the whole certificate is unreadable. Never leaves this room. */
export class DerError extends Error {}

/** webpki reads no element of 65,535 bytes or more. */
const MOST_BYTES = 0xff_ff;

/** Reads the element that begins at `at` and ends before `end`. Throws DerError. */
export function readElement(der: Uint8Array, at: number, end: number): Element {
  const tag = byteAt(der, at, end);
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag of several bytes');
  const first = byteAt(der, at + 1, end);
  let from = at + 2;
  let length = first;
  if (first >= 0x80) {
    const bytes = first - 0x80;
    if (bytes < 1 || bytes > 4) throw new DerError('a length that is not definite');
    length = 0;
    for (let index = 0; index < bytes; index += 1) length = length * 256 + byteAt(der, from + index, end);
    from += bytes;
    // The shortest form is the only one.
    if (length < (bytes === 1 ? 0x80 : 256 ** (bytes - 1)))
      throw new DerError('a length that could be shorter');
  }
  const to = from + length;
  if (length >= MOST_BYTES || to > end) throw new DerError('an element that ends too late');
  return { tag, begin: at, from, to };
}

/** The elements that stand in another one. Throws DerError. */
export function readChildren(
  der: Uint8Array,
  { from, to }: Pick<Element, 'from' | 'to'>,
): readonly Element[] {
  const children: Element[] = [];
  for (let at = from; at < to; ) {
    const child = readElement(der, at, to);
    children.push(child);
    at = child.to;
  }
  return children;
}

/** The element, if it is there and has the tag. Throws DerError. */
export function expectTag(element: Element | undefined, tag: number): Element {
  if (element?.tag !== tag) throw new DerError('another element than expected');
  return element;
}

/** A single element that fills the range, with the tag. Throws DerError. */
export function readOnly(der: Uint8Array, from: number, to: number, tag: number): Element {
  const element = expectTag(readElement(der, from, to), tag);
  if (element.to !== to) throw new DerError('bytes after the end');
  return element;
}

/** Throws DerError for what is neither true nor false in DER. */
export function readBoolean(der: Uint8Array, element: Element): boolean {
  const { from, to } = expectTag(element, TAG.boolean);
  const value = der[from];
  if (to - from !== 1 || (value !== 0x00 && value !== 0xff)) throw new DerError('no boolean');
  return value === 0xff;
}

/** A non-negative integer of one byte, as webpki takes path lengths. Throws DerError. */
export function readSmallInteger(der: Uint8Array, element: Element): number {
  const { from, to } = expectTag(element, TAG.integer);
  const [first, second] = [der[from], der[from + 1]];
  if (to - from === 1 && first !== undefined && first < 0x80) return first;
  if (to - from === 2 && first === 0 && second !== undefined && second >= 0x80) return second;
  throw new DerError('no small integer');
}

/** Dotted text of an object identifier; what can't be one is left as far as it could be read. */
export function readOid(der: Uint8Array, { from, to }: Element): string {
  const arcs: number[] = [];
  let arc = 0;
  for (let at = from; at < to; at += 1) {
    arc = arc * 128 + (der[at]! & 0x7f);
    if (der[at]! >= 0x80) continue;
    if (arcs.length === 0) arcs.push(Math.min(Math.floor(arc / 40), 2));
    arcs.push(arcs.length === 1 ? arc - arcs[0]! * 40 : arc);
    arc = 0;
  }
  return arcs.join('.');
}

/** The bytes of a range in lower-case hex. */
export function hexOf(der: Uint8Array, from: number, to: number): string {
  return Buffer.from(der.buffer, der.byteOffset + from, to - from).toString('hex');
}

function byteAt(der: Uint8Array, at: number, end: number): number {
  const byte = at < end ? der[at] : undefined;
  if (byte === undefined) throw new DerError('an element that breaks off');
  return byte;
}

/** undefined for what is no DER. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    return undefined;
  }
}
