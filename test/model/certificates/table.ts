// Chains of every kind, and what ztunnel's TLS library makes of them; where OpenSSL sees it otherwise, why.

import { CART } from '../values.ts';
import {
  ANY_USE,
  CLIENT,
  der,
  extension,
  type KeyKind,
  type Made,
  make,
  oid,
  SERVER,
  type Spec,
  sequence,
  EXTENSIONS as X,
} from './maker.ts';

export interface Row {
  readonly name: string;
  /** Leaf first. */
  readonly chain: readonly Made[];
  readonly roots: readonly Made[];
  readonly provider?: 'tls-ring';
  /** A part of why it is refused; without one it is taken. */
  readonly says?: string;
  /** Why OpenSSL 3 takes what rustls refuses, or the other way round. */
  readonly differs?: string;
}

const DAY = 86_400;
const authority = [X.authority(), X.keyUsage(0x06)];
const root = make({ name: 'Root', extensions: authority });
const mid = make({ name: 'Mid', by: root, extensions: authority });
const usual = [X.notAuthority(), X.usages(SERVER, CLIENT), X.uri(CART)];
const leaf = (by: Made, spec: Spec = {}) => make({ by, extensions: usual, ...spec });
const below = (by: Made, spec: Spec = {}) => make({ name: 'Mid', by, extensions: authority, ...spec });
const keyed = (key: KeyKind, spec: Spec = {}) =>
  make({ name: `Root ${key}`, key, extensions: authority, ...spec });
const under = (by: Made, spec: Spec = {}) => ({ chain: [leaf(by, spec)], roots: [by] });
const URI = (text: string) => der(0x86, text);
const DNS = (text: string) => der(0x82, text);
const DIRECTORY = der(0xa4, sequence());

/** A leaf under an intermediate. */
const via = (by: Made, anchor = root) => ({ chain: [leaf(by), by], roots: [anchor] });

/** An intermediate with constraints on names, and a leaf under it. */
function constrained(constraints: Uint8Array, names: Uint8Array = X.uri(CART)): Pick<Row, 'chain' | 'roots'> {
  const by = below(root, { extensions: [...authority, constraints] });
  return {
    chain: [leaf(by, { extensions: [X.notAuthority(), X.usages(SERVER, CLIENT), names] }), by],
    roots: [root],
  };
}

/** A leaf under so many intermediates, each of which allows so many below it. */
function deep(count: number, pathLength: (at: number) => number | undefined): Pick<Row, 'chain' | 'roots'> {
  const made: Made[] = [];
  for (let at = 0; at < count; at += 1) {
    const extensions = [X.authority(pathLength(at)), X.keyUsage(0x06)];
    made.unshift(make({ name: `Mid ${at}`, by: made[0] ?? root, extensions }));
  }
  return { chain: [leaf(made[0] ?? root), ...made], roots: [root] };
}

const other = make({ name: 'Root', extensions: authority });
const stranger = make({ name: 'Stranger', extensions: authority });
const expired = make({ name: 'Old root', from: -30 * DAY, to: -DAY, extensions: authority });
const future = make({ name: 'Next root', from: DAY, extensions: authority });
const plain = make({ name: 'Plain root', extensions: [] });
const noSigner = make({ name: 'Root that may not sign', extensions: [X.authority(), X.keyUsage(0x80)] });
const short = make({ name: 'Root of length 0', extensions: [X.authority(0), X.keyUsage(0x06)] });
const lower = below(short);
const ancient = make({ name: 'Root of version 1', version: 1 });
const printable = make({ name: 'Root', nameTag: 0x13, keys: root.keys, extensions: authority });
const renewed = make({ name: 'Root', keys: root.keys, extensions: authority });
const crossed = make({ name: 'Stranger', by: root, keys: stranger.keys, extensions: authority });
const crossedExpired = make({
  name: 'Stranger',
  by: expired,
  keys: stranger.keys,
  from: -30 * DAY,
  to: -DAY,
  extensions: authority,
});
const rsa = keyed('RSA 2048');
const p521 = keyed('P-521');
const midKeys = make({}).keys;
const identified = below(root, { keys: midKeys, extensions: [...authority, X.keyId(midKeys.publicKey)] });
const privateExtension = (critical: boolean) => extension('1.3.6.1.4.1.99999.1', critical, der(0x05));
const policy = sequence(sequence(oid('2.5.29.32.0')));

export const ROWS: readonly Row[] = [
  // Ways to a root.
  { name: 'straight from a root', ...under(root) },
  { name: 'one intermediate', chain: [leaf(mid), mid], roots: [root] },
  { name: 'the root sent as well', chain: [leaf(mid), mid, root], roots: [root] },
  {
    name: 'the intermediate not sent',
    chain: [leaf(mid)],
    roots: [root],
    says: 'the leaf is issued by CN=Mid, which is not listed',
  },
  {
    name: 'another root',
    chain: [leaf(mid), mid],
    roots: [stranger],
    says: 'intermediate 1 (CN=Mid) is issued by CN=Root, which is not listed',
  },
  {
    name: 'a root of the same name with another key',
    chain: [leaf(mid), mid],
    roots: [other],
    says: 'intermediate 1 (CN=Mid) is not signed with the key of root CN=Root',
  },
  {
    name: 'several roots of one name: each is tried',
    chain: [leaf(mid), mid],
    roots: [other, root],
    differs: 'OpenSSL takes the first of a name, unless key identifiers tell them apart',
  },
  { name: 'a root that was issued anew with its key', chain: [leaf(mid), mid], roots: [renewed] },
  { name: 'an intermediate that is listed as a root', chain: [leaf(mid)], roots: [mid] },
  {
    name: 'a root signed by an older one as well: the older is trusted',
    chain: [leaf(stranger), crossed],
    roots: [root],
  },
  {
    name: 'a root signed by an older one as well: the newer is trusted',
    chain: [leaf(stranger), crossed],
    roots: [stranger],
  },
  {
    name: 'a root signed by an older one that has run out: the newer is trusted',
    chain: [leaf(stranger), crossedExpired],
    roots: [stranger, expired],
  },
  {
    name: 'two intermediates of one name: each is tried',
    chain: [leaf(mid), below(root), mid],
    roots: [root],
    differs: 'OpenSSL takes the first of a name, unless key identifiers tell them apart',
  },
  {
    name: 'names that are written differently',
    chain: [leaf(root)],
    roots: [printable],
    says: 'the leaf is issued by CN=Root, which is not listed',
    differs: 'OpenSSL compares what names mean (UTF8String, PrintableString), rustls their bytes',
  },
  {
    name: 'a forged signature',
    chain: [leaf(mid, { forged: true }), mid],
    roots: [root],
    says: 'the leaf is not signed with the key of intermediate 1 (CN=Mid)',
  },
  {
    name: 'a self-signed leaf that nobody lists',
    chain: [make({ name: 'Alone', extensions: usual })],
    roots: [root],
    says: 'the leaf is self-signed and no listed root',
  },

  // What a root need not be.
  {
    name: 'a root that has expired',
    ...under(expired),
    differs: "OpenSSL minds a root's dates; for rustls it is a name and a key",
  },
  { name: 'a root that is not valid yet', ...under(future), differs: "OpenSSL minds a root's dates" },
  { name: 'a root without CA:TRUE', ...under(plain), differs: 'OpenSSL asks every issuer for CA:TRUE' },
  { name: 'a root that may not sign', ...under(noSigner), differs: "OpenSSL minds a root's key usage" },
  {
    name: 'a root of path length 0, with one intermediate',
    ...via(lower, short),
    differs: "OpenSSL minds a root's path length",
  },
  {
    name: 'a root of path length 0, with two intermediates',
    chain: ((by, next) => [leaf(next), next, by])(lower, below(lower, { name: 'Lower' })),
    roots: [short],
    differs: "OpenSSL minds a root's path length",
  },
  { name: 'a root of version 1', ...under(ancient) },
  {
    name: 'a root with a critical extension that nobody knows',
    ...under(make({ name: 'Odd root', extensions: [...authority, privateExtension(true)] })),
    differs: 'OpenSSL minds extensions of roots',
  },

  // Authorities.
  {
    name: 'an intermediate that is no CA',
    ...via(below(root, { extensions: [X.notAuthority()] })),
    says: 'the leaf is issued by intermediate 1 (CN=Mid), which is not a CA',
  },
  {
    name: 'an intermediate without basic constraints',
    ...via(below(root, { extensions: [] })),
    says: 'which is not a CA',
  },
  {
    name: 'an intermediate whose key usage is not for signing',
    ...via(below(root, { extensions: [X.authority(), X.keyUsage(0x80)] })),
    differs: 'rustls does not ask for key usage, OpenSSL for keyCertSign',
  },
  { name: 'a path length that suffices', ...deep(2, (at) => (at === 0 ? 1 : 0)) },
  {
    name: 'a path length that does not',
    ...deep(3, (at) => (at === 0 ? 1 : undefined)),
    says: 'intermediate 3 (CN=Mid 0) allows 1 further CAs below it (path length), and there are 2',
  },
  { name: 'six intermediates', ...deep(6, () => undefined) },
  {
    name: 'seven intermediates',
    ...deep(7, () => undefined),
    says: 'is one intermediate more than the 6 that rustls follows',
    differs: 'OpenSSL follows up to 100',
  },
  {
    name: 'a CA as leaf',
    chain: [leaf(root, { extensions: [X.authority(), X.usages(SERVER, CLIENT), X.uri(CART)] })],
    roots: [root],
    says: 'the leaf is a CA (basic constraints), which no peer takes for a workload',
    differs: 'OpenSSL takes a CA as a leaf',
  },
  {
    name: 'a leaf without basic constraints',
    ...under(root, { extensions: [X.usages(SERVER, CLIENT), X.uri(CART)] }),
  },

  // Uses.
  { name: 'no extended key usage', ...under(root, { extensions: [X.notAuthority(), X.uri(CART)] }) },
  {
    name: 'serverAuth only',
    ...under(root, { extensions: [X.usages(SERVER), X.uri(CART)] }),
    says: 'the leaf does not allow clientAuth (extended key usage): servers refuse it as a client',
  },
  {
    name: 'clientAuth only',
    ...under(root, { extensions: [X.usages(CLIENT), X.uri(CART)] }),
    says: 'the leaf does not allow serverAuth (extended key usage): clients refuse it as a server',
  },
  {
    name: 'any use',
    ...under(root, { extensions: [X.usages(ANY_USE), X.uri(CART)] }),
    says: 'does not allow serverAuth',
  },
  {
    name: 'an empty extended key usage',
    ...under(root, { extensions: [X.usages(), X.uri(CART)] }),
    says: 'the leaf has an empty extended key usage',
  },
  {
    name: 'an intermediate for servers only',
    ...via(below(root, { extensions: [...authority, X.usages(SERVER)] })),
    says: 'intermediate 1 (CN=Mid) does not allow clientAuth (extended key usage)',
  },

  // Keys and signatures.
  { name: 'RSA 2048', ...under(rsa) },
  { name: 'RSA 3072', ...under(keyed('RSA 3072')) },
  {
    name: 'RSA 1024',
    ...under(keyed('RSA 1024')),
    says: 'root CN=Root RSA 1024 has a key (RSA 1024) that rustls (aws-lc) does not accept',
    differs: 'the openssl program takes keys of 1024 bits',
  },
  { name: 'RSA with SHA-512', ...under(rsa, { signature: 'RSA SHA-512' }) },
  { name: 'RSA without parameters', ...under(rsa, { signature: 'RSA SHA-256, no parameters' }) },
  { name: 'RSA-PSS with SHA-256', ...under(rsa, { signature: 'RSA-PSS SHA-256' }) },
  {
    name: 'RSA-PSS with a salt of its own',
    ...under(rsa, { signature: 'RSA-PSS SHA-256, salt of 20' }),
    says: 'the leaf is signed with RSA-PSS with parameters of its own, which rustls (aws-lc) does not accept',
    differs: 'OpenSSL takes salts of any length',
  },
  {
    name: 'RSA with SHA-1',
    ...under(rsa, { signature: 'RSA SHA-1' }),
    says: 'the leaf is signed with RSA with SHA-1',
    differs: 'the openssl program takes SHA-1 as long as no security level is asked for',
  },
  {
    name: 'RSA with MD5',
    ...under(rsa, { signature: 'RSA MD5' }),
    says: 'the leaf is signed with RSA with MD5',
    differs: 'the openssl program takes MD5 as long as no security level is asked for',
  },
  {
    name: 'ECDSA with SHA-1',
    ...under(root, { signature: 'ECDSA SHA-1' }),
    says: 'the leaf is signed with ECDSA with SHA-1',
    differs: 'the openssl program takes SHA-1 as long as no security level is asked for',
  },
  {
    name: 'ECDSA with SHA-224',
    ...under(root, { signature: 'ECDSA SHA-224' }),
    says: 'the leaf is signed with ECDSA with SHA-224',
    differs: 'OpenSSL knows SHA-224',
  },
  { name: 'P-256 with SHA-384', ...under(root, { signature: 'ECDSA SHA-384' }) },
  { name: 'P-256 with SHA-512', ...under(root, { signature: 'ECDSA SHA-512' }) },
  {
    name: 'P-256 with SHA-512, by ring',
    ...under(root, { signature: 'ECDSA SHA-512' }),
    provider: 'tls-ring',
    says: 'the leaf is signed with ecdsa-with-SHA512, which rustls (ring) does not accept',
    differs: 'ring verifies no ECDSA with SHA-512',
  },
  { name: 'P-384', ...under(keyed('P-384')) },
  { name: 'P-384, by ring', ...under(keyed('P-384')), provider: 'tls-ring' },
  { name: 'P-521', ...under(p521) },
  {
    name: 'P-521, by ring',
    ...under(p521),
    provider: 'tls-ring',
    says: 'root CN=Root P-521 has a key (P-521) that rustls (ring) does not accept',
    differs: 'ring has no P-521',
  },
  {
    name: 'P-224',
    ...under(keyed('P-224')),
    says: 'root CN=Root P-224 has a key (P-224) that rustls (aws-lc) does not accept',
    differs: 'OpenSSL knows P-224',
  },
  {
    name: 'secp256k1',
    ...under(keyed('secp256k1')),
    says: 'root CN=Root secp256k1 has a key (secp256k1) that rustls (aws-lc) does not accept',
    differs: 'OpenSSL knows secp256k1',
  },
  {
    name: 'DSA',
    ...under(keyed('DSA')),
    says: 'the leaf is signed with DSA with SHA-256, which rustls (aws-lc) does not accept',
    differs: 'OpenSSL knows DSA',
  },
  { name: 'Ed25519', ...under(keyed('Ed25519')) },
  {
    name: 'Ed448',
    ...under(keyed('Ed448')),
    says: 'the leaf is signed with Ed448',
    differs: 'OpenSSL knows Ed448',
  },
  {
    name: 'two signature algorithms in one certificate',
    ...under(rsa, { inner: 'RSA SHA-512' }),
    says: 'the leaf names two signature algorithms',
  },

  // Extensions and versions.
  {
    name: 'a critical extension that nobody knows',
    ...under(root, { extensions: [...usual, privateExtension(true)] }),
    says: 'the leaf has the critical extension 1.3.6.1.4.1.99999.1, which rustls does not know',
  },
  { name: 'the same, not critical', ...under(root, { extensions: [...usual, privateExtension(false)] }) },
  {
    name: 'critical certificate policies',
    ...under(root, { extensions: [...usual, extension('2.5.29.32', true, policy)] }),
    says: 'the leaf has the critical extension 2.5.29.32, which rustls does not know',
    differs: 'OpenSSL knows certificate policies',
  },
  {
    name: 'an intermediate with a critical extension that nobody knows',
    ...via(below(root, { extensions: [...authority, privateExtension(true)] })),
    says: 'intermediate 1 (CN=Mid) has the critical extension 1.3.6.1.4.1.99999.1',
  },
  {
    name: 'an extension twice',
    ...under(root, { extensions: [...usual, X.uri(CART)] }),
    says: 'the leaf has the extension 2.5.29.17 twice',
  },
  {
    name: 'a leaf of version 1',
    ...under(root, { version: 1, extensions: undefined }),
    says: 'the leaf is of X.509 version 1, not 3',
    differs: 'OpenSSL takes version 1',
  },
  {
    name: 'key identifiers that do not match',
    chain: [leaf(identified, { extensions: [...usual, X.issuerKeyId(stranger.keys.publicKey)] }), identified],
    roots: [root],
    differs:
      'rustls has no use for key identifiers; OpenSSL takes a mismatch for another issuer, if that has an identifier',
  },

  // Names.
  { name: 'constraints on DNS names, and a URI', ...constrained(X.constraints([DNS('corp')], [])) },
  {
    name: 'constraints that permit the URI',
    ...constrained(X.constraints([URI('cluster.local')], [])),
    says: `intermediate 1 (CN=Mid) may not sign for ${CART} of the leaf (name constraints)`,
    differs: 'rustls compares no URIs and refuses them all',
  },
  {
    name: 'constraints that exclude the URI',
    ...constrained(X.constraints([], [URI('cluster.local')])),
    says: `may not sign for ${CART} of the leaf (name constraints)`,
  },
  {
    name: 'constraints that exclude another URI',
    ...constrained(X.constraints([], [URI('elsewhere.example')])),
    says: '(name constraints)',
    differs: 'rustls compares no URIs and refuses them all',
  },
  {
    name: 'constraints on directory names',
    ...constrained(X.constraints([], [DIRECTORY])),
    says: 'any subject (rustls compares no directory names)',
    differs: 'rustls compares no directory names and refuses them all',
  },
  {
    name: 'a DNS name within constraints',
    ...constrained(X.constraints([DNS('corp')], []), X.names(URI(CART), DNS('web.corp'))),
  },
  {
    name: 'a DNS name outside of constraints',
    ...constrained(X.constraints([DNS('corp')], []), X.names(URI(CART), DNS('web.example'))),
    says: 'may not sign for web.example of the leaf (name constraints)',
  },
  {
    name: 'an address within constraints',
    ...constrained(
      X.constraints([der(0x87, Buffer.from([10, 0, 0, 0, 255, 0, 0, 0]))], []),
      X.names(URI(CART), der(0x87, Buffer.from([10, 1, 2, 3]))),
    ),
  },
  {
    name: 'an address outside of constraints',
    ...constrained(
      X.constraints([der(0x87, Buffer.from([10, 0, 0, 0, 255, 0, 0, 0]))], []),
      X.names(URI(CART), der(0x87, Buffer.from([11, 1, 2, 3]))),
    ),
    says: 'may not sign for an IP address of the leaf (name constraints)',
  },
  {
    name: 'constraints of the root itself',
    ...under(
      make({ name: 'Tight root', extensions: [...authority, X.constraints([], [URI('cluster.local')])] }),
    ),
    says: `root CN=Tight root may not sign for ${CART} of the leaf (name constraints)`,
  },
];
