// Which IP addresses a range of a policy holds, as ztunnel compares them.

import ipaddr from 'ipaddr.js';

/** An IP address: 4 or 16 bytes, and its one short text. */
export interface Address {
  readonly text: string;
  readonly bytes: readonly number[];
}

/** A CIDR range; bits beyond its length count for nothing. */
export interface AddressRange {
  /** As it was written. */
  readonly text: string;
  readonly bytes: readonly number[];
  /** In bits. */
  readonly length: number;
}

/** Reads an address that a socket has: an IPv4 address in IPv6 form is the IPv4 address. undefined for other text. */
export function parseAddress(text: string): Address | undefined {
  const bytes = bytesOf(text);
  if (bytes === undefined) return undefined;
  const plain = isMapped(bytes) ? bytes.slice(12) : bytes;
  return { text: ipaddr.fromByteArray([...plain]).toString(), bytes: plain };
}

/** Reads `ip/length`, or a lone address as the range that holds nothing else; undefined for other text. */
export function parseRange(text: string): AddressRange | undefined {
  const [ip = '', length, ...rest] = text.split('/');
  const bytes = bytesOf(ip);
  if (bytes === undefined || rest.length > 0) return undefined;
  const all = bytes.length * 8;
  if (length === undefined) return { text, bytes, length: all };
  const bits = /^(?:0|[1-9]\d{0,2})$/.test(length) ? Number(length) : Number.NaN;
  return bits <= all ? { text, bytes, length: bits } : undefined;
}

/** Never true across families. */
export function holdsAddress(range: AddressRange, address: Address): boolean {
  if (range.bytes.length !== address.bytes.length) return false;
  const whole = range.length >> 3;
  for (let index = 0; index < whole; index += 1) {
    if (range.bytes[index] !== address.bytes[index]) return false;
  }
  const rest = 8 - (range.length & 7);
  return rest === 8 || range.bytes[whole]! >> rest === address.bytes[whole]! >> rest;
}

function bytesOf(text: string): readonly number[] | undefined {
  // Most texts are names, and asking ipaddr.js about those costs an exception each.
  if (!/^[\da-fA-F:.]{2,45}$/.test(text)) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).toByteArray();
  return text.includes(':') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text).toByteArray() : undefined;
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.every((byte, index) => index > 11 || byte === (index < 10 ? 0 : 255));
}
