// Who gets no certificates from the CA: everybody, a node, an identity, or one that its ztunnel does not renew.

import { compareText } from '../../base/order.ts';
import { classifyReason, type ReasonKindName } from '../certificates/reasons.ts';
import type { CertificateItem } from '../items.ts';

/** The widest that the evidence allows. */
export const ISSUANCE_SCOPES = ['everywhere', 'node', 'identity', 'timer'] as const;

export type IssuanceScope = (typeof ISSUANCE_SCOPES)[number];

/** A certificate that ought to have been issued or renewed by now. */
export interface Unissued {
  readonly item: CertificateItem;
  readonly scope: IssuanceScope;
}

/** What becomes of the certificates that are in use, if none of them is renewed. Times are ms since 1970. */
export interface Outlook {
  /** Those that are valid now; at least one. */
  readonly certificates: number;
  readonly expired: number;
  readonly first: number;
  /** By then half of them have expired. */
  readonly half: number;
  readonly all: number;
  /** The first to expire. */
  readonly next: CertificateItem;
}

export interface Issuance {
  readonly unissued: readonly Unissued[];
  /** When the newest certificate of each node begins, in ms since 1970; CAs may date it back by some minutes. */
  readonly lastByNode: ReadonlyMap<string | null, number>;
}

/** istiod dates certificates back by this. */
const BACKDATED_MS = 120_000;
const LONGEST_GRACE_MS = 300_000;

/** The reasons that are about ztunnel and its CA, whatever identity is asked for. */
const OF_CONNECTION: ReadonlySet<ReasonKindName> = new Set(['unreachable', 'notAuthenticated']);
/** The reasons that are none of the CA's doing. */
const NOT_OF_CA: ReadonlySet<ReasonKindName> = new Set(['notNeeded', 'workloadUnknown']);

/** `needed` are those that somebody needs, `listed` all that ztunnels list. */
export function judgeIssuance(
  needed: readonly CertificateItem[],
  listed: readonly CertificateItem[],
  reference: Date,
): Issuance {
  const at = reference.getTime();
  const troubled = needed.filter((item) => isRefused(item) || isOverdue(item, at));
  const lastByNode = new Map(
    [...Map.groupBy(listed, ({ node }) => node)].map(([node, items]) => [node, newestOf(items)]),
  );
  const scopeOf = createScopes(troubled, needed, lastByNode);
  return { unissued: troubled.map((item) => ({ item, scope: scopeOf(item) })), lastByNode };
}

function newestOf(items: readonly CertificateItem[]): number {
  return items.reduce(
    (newest, { notBefore }) => Math.max(newest, notBefore === null ? newest : Date.parse(notBefore)),
    Number.NEGATIVE_INFINITY,
  );
}

function isRefused({ status, reason }: CertificateItem): boolean {
  return status === 'UNAVAILABLE' && !NOT_OF_CA.has(classifyReason(reason));
}

/** Whether ztunnel ought to have renewed it, whatever else is wrong with it by now. */
function isOverdue(item: CertificateItem, at: number): boolean {
  const due = dueOf(item);
  if (due === undefined || item.status === 'UNAVAILABLE') return false;
  const lifetime = Date.parse(item.notAfter!) - Date.parse(item.notBefore!);
  return at > due + Math.min(LONGEST_GRACE_MS, lifetime / 20);
}

/** At half of the lifetime, and not before it can have been issued; undefined without dates. */
function dueOf({ notBefore, notAfter }: CertificateItem): number | undefined {
  if (notBefore === null || notAfter === null) return undefined;
  const from = Date.parse(notBefore);
  return from + Math.max((Date.parse(notAfter) - from) / 2, BACKDATED_MS);
}

function createScopes(
  troubled: readonly CertificateItem[],
  needed: readonly CertificateItem[],
  lastByNode: Issuance['lastByNode'],
): (item: CertificateItem) => IssuanceScope {
  const set = new Set(troubled);
  const nodes = Map.groupBy(needed, ({ node }) => node);
  const identities = Map.groupBy(needed, ({ identity }) => identity);
  const isWhole = (items: readonly CertificateItem[] = []) => items.every((item) => set.has(item));
  const hasConnectionTrouble = (items: readonly CertificateItem[]) =>
    items.some((item) => set.has(item) && isOfConnection(item));
  const wholeNodes = new Set([...nodes].filter(([, items]) => isWhole(items)).map(([node]) => node));
  const cutOff = new Set([...nodes].filter(([, items]) => hasConnectionTrouble(items)).map(([node]) => node));
  const all = [...lastByNode.values()].reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  /** Whether the newest of some certificates was issued after this one was due. */
  const isNewer = (newest: number | undefined, due: number) => (newest ?? 0) + BACKDATED_MS > due;
  return (item) => {
    const { node, identity } = item;
    const due = item.status === 'UNAVAILABLE' ? undefined : dueOf(item);
    if (due === undefined) {
      const isNode = wholeNodes.has(node) || cutOff.has(node);
      if (!isNode) return 'identity';
      return [...nodes.keys()].every((each) => wholeNodes.has(each) || cutOff.has(each))
        ? 'everywhere'
        : 'node';
    }
    if (!isNewer(all, due)) return 'everywhere';
    if (!isNewer(lastByNode.get(node), due)) return 'node';
    const copies = identities.get(identity) ?? [];
    return copies.length > 1 && isWhole(copies) ? 'identity' : 'timer';
  };
}

function isOfConnection({ status, reason }: CertificateItem): boolean {
  return status === 'UNAVAILABLE' && OF_CONNECTION.has(classifyReason(reason));
}

/** For how long the certificates that are valid now last; undefined where none is. */
export function foresee(items: readonly CertificateItem[], reference: Date): Outlook | undefined {
  const at = reference.getTime();
  const dated = items.filter(({ effectiveNotAfter }) => effectiveNotAfter !== null);
  const ends = dated
    .map((item) => ({ item, end: Date.parse(item.effectiveNotAfter!) }))
    .toSorted((a, b) => a.end - b.end || compareText(a.item.identity, b.item.identity));
  const valid = ends.filter(({ end }) => end > at);
  const [first] = valid;
  if (first === undefined) return undefined;
  return {
    certificates: valid.length,
    expired: ends.length - valid.length,
    first: first.end,
    half: valid[Math.ceil(valid.length / 2) - 1]!.end,
    all: valid.at(-1)!.end,
    next: first.item,
  };
}
