// What the extensions of a certificate say, read as rustls-webpki reads them.

import {
  attempt,
  constructed,
  DerError,
  type Element,
  expectTag,
  hexOf,
  primitive,
  readBoolean,
  readChildren,
  readElement,
  readOid,
  readOnly,
  readSmallInteger,
  TAG,
} from './der.ts';

/** A name of a subject alternative name or of a constraint on them: text, hex for an address, the tag of any other kind. */
export interface GeneralName {
  readonly kind: 'dns' | 'ip' | 'uri' | 'directory' | 'other';
  readonly value: string;
}

/** The value of a name that stands for a list of names that can't be read. */
export const UNREADABLE_NAME = 'unreadable';

/** What names an authority may sign for. */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

/** What a certificate's extensions say that webpki asks for. */
export interface Extensions {
  isAuthority: boolean;
  pathLength: number | null;
  usages: readonly string[] | null;
  names: readonly GeneralName[];
  constraints: NameConstraints | null;
  /** A critical one that is not known here. */
  unknown: string | undefined;
  /** What no certificate may have, not even a root. */
  broken: string | undefined;
  /** What is asked for of leaves and intermediates only. */
  malformed: string | undefined;
}

const FIELD = constructed(3);

interface KnownExtension {
  /** Takes in what stands in its SEQUENCE. */
  readonly read: (der: Uint8Array, list: Element, found: Extensions) => void;
  /** What webpki makes of content that it can't read, where it finds out only once it asks for it. */
  readonly fail: (found: Extensions, id: string) => void;
}

const refuse: KnownExtension['fail'] = (found, id) => {
  found.malformed ??= describeUnreadable(id);
};

const KEY_USAGE = '2.5.29.15';

/** Those of `2.5.29` that webpki remembers besides; each may stand once. */
const KNOWN: Readonly<Record<string, KnownExtension>> = {
  '2.5.29.17': {
    read: (der, list, found) => {
      found.names = readNames(der, list);
    },
    fail: (found) => {
      found.names = [{ kind: 'other', value: UNREADABLE_NAME }];
    },
  },
  '2.5.29.19': { read: readBasicConstraints, fail: refuse },
  '2.5.29.30': {
    read: (der, list, found) => {
      found.constraints = readConstraints(der, list);
    },
    // One on directory names refuses everything, as one that can't be read does.
    fail: (found) => {
      found.constraints = { permitted: [{ kind: 'directory', value: '' }], excluded: [] };
    },
  },
  '2.5.29.31': { read: () => {}, fail: refuse },
  '2.5.29.37': {
    read: (der, { from, to }, found) => {
      const usages: string[] = [];
      found.usages = usages;
      for (let at = from; at < to; ) {
        const oid = expectTag(readElement(der, at, to), TAG.oid);
        usages.push(readOid(der, oid));
        at = oid.to;
      }
    },
    // What comes before it still counts: webpki reads no further than to the use that it wants.
    fail: () => {},
  },
};

/** Reads the fields that stand behind the public key. Throws DerError. */
export function readExtensions(der: Uint8Array, rest: readonly Element[], version: number): Extensions {
  const found: Extensions = {
    isAuthority: false,
    pathLength: null,
    usages: null,
    names: [],
    constraints: null,
    unknown: undefined,
    broken: undefined,
    malformed: undefined,
  };
  const [field, ...others] = rest;
  if (field === undefined) return found;
  // Unique identifiers, which version 2 has and nobody uses.
  if (field.tag !== FIELD || others.length > 0) {
    if (version === 3) found.broken = 'has fields that no certificate of today has';
    return found;
  }
  const seen = new Set<string>();
  for (const extension of readChildren(der, readOnly(der, field.from, field.to, TAG.sequence))) {
    readExtension(der, expectTag(extension, TAG.sequence), found, seen);
  }
  return found;
}

function readExtension(der: Uint8Array, extension: Element, found: Extensions, seen: Set<string>): void {
  const [first, second, third] = readChildren(der, extension);
  const id = readOid(der, expectTag(first, TAG.oid));
  const isCritical = second?.tag === TAG.boolean && readBoolean(der, second);
  const content = expectTag(second?.tag === TAG.boolean ? third : second, TAG.octetString);
  if (content.to !== extension.to) throw new DerError('more than an extension');
  const known = Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined;
  if (known === undefined && id !== KEY_USAGE) {
    if (isCritical) found.unknown ??= `has the critical extension ${id}, which rustls does not know`;
    return;
  }
  if (seen.has(id)) found.broken ??= `has the extension ${id} twice`;
  seen.add(id);
  if (known === undefined) return;
  const list = attempt(() => readOnly(der, content.from, content.to, TAG.sequence));
  if (list === undefined) found.broken ??= describeUnreadable(id);
  else if (attempt(() => known.read(der, list, found) ?? true) === undefined) known.fail(found, id);
}

function describeUnreadable(id: string): string {
  return `has an extension ${id} that can not be read`;
}

/** `SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }`. */
function readBasicConstraints(der: Uint8Array, list: Element, found: Extensions): void {
  const [...fields] = readChildren(der, list);
  if (fields[0]?.tag === TAG.boolean) found.isAuthority = readBoolean(der, fields.shift()!);
  const [length, ...others] = fields;
  if (length !== undefined) found.pathLength = readSmallInteger(der, length);
  if (others.length > 0) throw new DerError('more than basic constraints');
}

const KINDS: ReadonlyMap<number, GeneralName['kind']> = new Map([
  [primitive(2), 'dns'],
  [constructed(4), 'directory'],
  [primitive(6), 'uri'],
  [primitive(7), 'ip'],
]);

function readNames(der: Uint8Array, list: Element): readonly GeneralName[] {
  return readChildren(der, list).map((element) => readName(der, element));
}

function readName(der: Uint8Array, { tag, from, to }: Element): GeneralName {
  const kind = KINDS.get(tag) ?? 'other';
  if (kind === 'other') return { kind, value: String(tag & 0x1f) };
  if (kind === 'directory') return { kind, value: '' };
  const value = kind === 'ip' ? hexOf(der, from, to) : Buffer.from(der.subarray(from, to)).toString('utf8');
  return { kind, value };
}

const PERMITTED = constructed(0);
const EXCLUDED = constructed(1);

/** `SEQUENCE { [0] permitted, [1] excluded }`, each of subtrees without minimum and maximum. */
function readConstraints(der: Uint8Array, list: Element): NameConstraints {
  const [...fields] = readChildren(der, list);
  const take = (tag: number) => (fields[0]?.tag === tag ? readSubtrees(der, fields.shift()!) : []);
  return { permitted: take(PERMITTED), excluded: take(EXCLUDED) };
}

function readSubtrees(der: Uint8Array, list: Element): readonly GeneralName[] {
  return readChildren(der, list).map((subtree) => {
    const { from, to } = expectTag(subtree, TAG.sequence);
    const base = readElement(der, from, to);
    if (base.to !== to) throw new DerError('a subtree with bounds');
    return readName(der, base);
  });
}
