// Whether the names of a certificate are within an authority's name constraints, as rustls-webpki judges it.

import { type GeneralName, type NameConstraints, UNREADABLE_NAME } from './extensions.ts';

/** Every certificate has a subject, which webpki only knows to be a directory name. */
const SUBJECT: GeneralName = { kind: 'directory', value: '' };

/** The first name that is not allowed, as text; undefined if all are. */
export function findExcluded(
  names: readonly GeneralName[],
  constraints: NameConstraints,
): string | undefined {
  const refused = [...names, SUBJECT].find((name) => !isWithin(name, constraints));
  return refused && describeName(refused);
}

function isWithin(name: GeneralName, { permitted, excluded }: NameConstraints): boolean {
  if (name.value === UNREADABLE_NAME) return false;
  if ([...permitted, ...excluded].some((base) => isMalformed(name, base))) return false;
  const asked = permitted.filter(({ kind, value }) => isSameKind(name, { kind, value }));
  if (asked.length > 0 && !asked.some((base) => MATCHES[name.kind].permitted(name.value, base.value)))
    return false;
  return !excluded.some(
    (base) => isSameKind(name, base) && MATCHES[name.kind].excluded(name.value, base.value),
  );
}

function isSameKind(name: GeneralName, base: GeneralName): boolean {
  return name.kind === base.kind && (name.kind !== 'other' || name.value === base.value);
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = `${LABEL}(?:\\.${LABEL})*`;
const DNS_NAME = new RegExp(`^(?:${HOST}|\\*\\.${LABEL}\\.${HOST})$`, 'i');
const DNS_BASE = new RegExp(`^\\.?${HOST}$`, 'i');

/** What can't be compared is refused: a label that is no host's, an address of no length that there is. */
function isMalformed({ kind, value }: GeneralName, base: GeneralName): boolean {
  if (kind !== base.kind) return false;
  if (kind === 'ip') return !ADDRESS.test(value) || !NETWORK.test(base.value);
  return kind === 'dns' && (!isHost(value, DNS_NAME) || !(base.value === '' || isHost(base.value, DNS_BASE)));
}

/** 4 or 16 bytes in hex, and twice as many. */
const ADDRESS = /^(?:.{8}|.{32})$/;
const NETWORK = /^(?:.{16}|.{64})$/;

function isHost(text: string, form: RegExp): boolean {
  return text.length <= 253 && form.test(text) && !/(?:^|\.)\d+$/.test(text);
}

interface Match {
  readonly permitted: (value: string, base: string) => boolean;
  readonly excluded: (value: string, base: string) => boolean;
}

/** What webpki can't compare it refuses: it is in no permitted subtree, and in every excluded one. */
const NEVER: Match = { permitted: () => false, excluded: () => true };

const MATCHES = {
  uri: NEVER,
  directory: NEVER,
  other: NEVER,
  dns: {
    permitted: (value, base) => isDnsWithin(value, base),
    // A wildcard is excluded with any name that it could stand for.
    excluded: (value, base) =>
      isDnsWithin(value, base) || (value.startsWith('*.') && isDnsWithin(base, value.slice(2))),
  },
  ip: {
    permitted: (value, base) => isAddressWithin(value, base) === true,
    excluded: (value, base) => isAddressWithin(value, base) !== false,
  },
} as const satisfies Record<GeneralName['kind'], Match>;

/** `.corp` has names below it, `corp` itself as well, '' all of them. */
function isDnsWithin(value: string, base: string): boolean {
  const [name, of] = [value.toLowerCase(), base.toLowerCase()];
  if (of === '' || name === of) return true;
  return name.endsWith(of.startsWith('.') ? of : `.${of}`);
}

/** Both in hex, the base with its mask behind it; undefined for a mask that is none. */
function isAddressWithin(value: string, base: string): boolean | undefined {
  const [address, network] = [Buffer.from(value, 'hex'), Buffer.from(base, 'hex')];
  if (network.length !== 2 * address.length) return false;
  const mask = network.subarray(address.length);
  const bits = [...mask].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  if (!/^1*0*$/.test(bits)) return undefined;
  return address.every((byte, at) => ((byte ^ network[at]!) & mask[at]!) === 0);
}

function describeName({ kind, value }: GeneralName): string {
  if (kind === 'directory') return 'any subject (rustls compares no directory names)';
  if (kind === 'uri' || kind === 'dns') return value;
  return kind === 'ip' ? 'an IP address' : 'a name of another kind';
}
