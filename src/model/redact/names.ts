// How names and addresses are replaced so that equal ones stay equal, and nobody without the key learns more.

import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { createMemo } from '../../base/cache.ts';

export interface NamesInput {
  /** Random, and forgotten afterwards. */
  readonly key: Uint8Array;
  /** Names that keep their place among each other, in order: whose dump is read first depends on it. */
  readonly ranked: readonly string[];
  /** Further names that are replaced as a whole: nodes, and StatefulSets, whose own name may end like an ordinal. */
  readonly whole: readonly string[];
  /** Pods that are called after their node, `<name>-<node>`, and stay so. */
  readonly hosted: readonly { readonly pod: string; readonly node: string }[];
}

/** Every function gives the same for the same text, and '' for ''. */
export interface Names {
  /**
   * A name of any kind, component by component (between dots): a StatefulSet's pod is its name and the ordinal.
   * Words that are the same in every mesh stay.
   */
  readonly name: (text: string) => string;
  /** An IP address as one of the same family; a name else. */
  readonly address: (text: string) => string;
  /** `ip:port`, `[ip]:port`, `host:port`. */
  readonly endpoint: (text: string) => string;
  /** Names and addresses between slashes: `network/ip`, `namespace/host`, a workload's uid, a SPIFFE id. */
  readonly path: (text: string) => string;
  /** As long hexadecimal digits, for fingerprints and uids. */
  readonly digest: (text: string) => string;
  /** A decimal number, for serial numbers. */
  readonly number: (text: string) => string;
}

/** What every mesh calls so, or what the judgements look for. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...['cluster', 'local', 'svc', 'default', 'kube-node-lease', 'kube-system', '*'],
  ...['spiffe:', 'http:', 'https:', 'ns', 'sa'],
  ...['Pod', 'WorkloadEntry', 'ServiceEntry', 'SplitHorizonWorkload', 'NetworkGateway'],
]);
/** Every ztunnel names the same workloads: those of a large mesh are hashed once. */
const REMEMBERED = 100_000;
const API_GROUP = /^[a-z.]+\.(?:istio|k8s)\.io$/;

export function createNames(input: NamesInput): Names {
  const hash = (text: string) => createHmac('sha256', input.key).update(text).digest('hex');
  const name = createNamer(input, (text) => `x${hash(text).slice(0, 12)}`);
  const digests = createMemo<string, string>(REMEMBERED);
  const known = createAddresses(hash);
  const address = (text: string) => known(text) ?? name(text);
  const endpoint = (text: string): string => {
    const [, bracketed, bare, port] = ENDPOINT.exec(text) ?? [];
    if (port === undefined) return address(text);
    return bracketed === undefined ? `${address(bare!)}:${port}` : `[${address(bracketed)}]:${port}`;
  };
  const step = (text: string) => (API_GROUP.test(text) ? text : endpoint(text));
  return {
    name,
    address,
    endpoint,
    path: (text) =>
      text.includes('/') ? (known(text) ?? text.split('/').map(step).join('/')) : address(text),
    digest: (text) => (text === '' ? '' : digests(text, () => hash(text))),
    number: (text) => (text === '' ? '' : BigInt(`0x${hash(text).slice(0, 32)}`).toString()),
  };
}

function createNamer(
  { ranked, whole, hosted }: NamesInput,
  alias: (text: string) => string,
): (text: string) => string {
  const component = (text: string): string => {
    if (text === '' || PUBLIC.has(text)) return text;
    const [, base, ordinal] = /^(.+)-(0|[1-9]\d{0,3})$/.exec(text) ?? [];
    return base === undefined ? alias(text) : `${alias(base)}-${ordinal}`;
  };
  const exact = new Map([
    ...whole.map((text) => [text, PUBLIC.has(text) ? text : alias(text)] as const),
    ...ranked.map((text, rank) => [text, `n${String(rank).padStart(5, '0')}-${alias(text)}`] as const),
  ]);
  const memo = createMemo<string, string>(REMEMBERED);
  const name = (text: string) =>
    exact.get(text) ?? memo(text, () => text.split('.').map(component).join('.'));
  for (const { pod, node } of hosted) {
    exact.set(pod, `${name(pod.slice(0, -node.length - 1))}-${name(node)}`);
  }
  return name;
}

const ENDPOINT = /^(?:\[([^\]]*)\]|([^:]*)):(\d{1,5})$/;

/** Addresses that nobody routes: 240.0.0.0/4, and fd00::/8; no two become the same one. */
function createAddresses(hash: (text: string) => string): (text: string) => string | undefined {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const choose = (text: string, family: Family): string => {
    for (let attempt = 0; ; attempt++) {
      const chosen = FAMILIES[family](hash(`${text} ${attempt}`));
      if (taken.has(chosen)) continue;
      taken.add(chosen);
      return chosen;
    }
  };
  return (text) => {
    const normal = normalize(text);
    if (normal === undefined) return undefined;
    const chosen = known.get(normal.text) ?? choose(normal.text, normal.family);
    known.set(normal.text, chosen);
    return `${chosen}${normal.prefix}`;
  };
}

type Family = 'ipv4' | 'ipv6';

const FAMILIES = {
  ipv4: (hex) => {
    const bytes = Buffer.from(hex.slice(0, 8), 'hex');
    return [240 | (bytes[0]! & 15), bytes[1], bytes[2], bytes[3]].join('.');
  },
  ipv6: (hex) => ipaddr.fromByteArray([0xfd, ...Buffer.from(hex.slice(0, 30), 'hex')]).toString(),
} satisfies Record<Family, (hex: string) => string>;

/** In the one form of an address; a prefix length stays as it is. */
function normalize(
  text: string,
): { readonly text: string; readonly family: Family; readonly prefix: string } | undefined {
  const [, ip = '', prefix = ''] = /^([^/]+)(\/\d{1,3})?$/.exec(text) ?? [];
  // Most texts are names, and asking ipaddr.js about those costs an exception each.
  if (!/^[\da-fA-F:.]{2,45}$/.test(ip)) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return { text: ip, family: 'ipv4', prefix };
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return undefined;
  return { text: ipaddr.IPv6.parse(ip).toString(), family: 'ipv6', prefix };
}
