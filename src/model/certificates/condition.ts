// What one can wait for a certificate to be: the words of `wait --for` and `--until`.

import { UsageError } from '../../base/errors.ts';
import { type CertificateItem, STATUSES, type Status } from '../items.ts';

export type Condition =
  | { readonly type: 'ready' }
  | { readonly type: 'renewed' }
  /** The beginning of a root's fingerprint, in lower-case hex: its chain ends in it, or it takes what that has signed. */
  | { readonly type: 'root'; readonly fingerprint: string }
  | { readonly type: 'trusts'; readonly fingerprint: string }
  | { readonly type: 'status'; readonly statuses: readonly Status[] };

/** What `--for` and `--until` take, as help shows it; HASH is the beginning of a fingerprint. */
export const CONDITION_VALUE = 'ready|renewed|root=HASH|trusts=HASH|status=STATUS';
const HINT =
  'It is one of: ready, renewed, root=FINGERPRINT or trusts=FINGERPRINT (8 hex digits or more), status=STATUS[,STATUS].';

/** Reads it. Throws UsageError naming the flag. */
export function parseCondition(text: string, flag: string): Condition {
  const [, word = '', value = ''] = /^([a-z]+)(?:=(.*))?$/s.exec(text) ?? [];
  const parsed = Object.hasOwn(PARSERS, word) ? PARSERS[word as keyof typeof PARSERS](value) : undefined;
  if (parsed !== undefined) return parsed;
  throw new UsageError(`--${flag} can't be "${text}"`, HINT);
}

const PARSERS = {
  ready: (value) => (value === '' ? { type: 'ready' } : undefined),
  renewed: (value) => (value === '' ? { type: 'renewed' } : undefined),
  root: (value) => parseRoot('root', value),
  trusts: (value) => parseRoot('trusts', value),
  status: (value) => {
    const wanted = value.toUpperCase().split(',');
    const statuses = STATUSES.filter((status) => wanted.includes(status));
    return wanted.every((each) => STATUSES.includes(each as Status))
      ? { type: 'status', statuses }
      : undefined;
  },
} satisfies Record<Condition['type'], (value: string) => Condition | undefined>;

function parseRoot(type: 'root' | 'trusts', value: string): Condition | undefined {
  const fingerprint = value.toLowerCase().replaceAll(':', '');
  return /^[0-9a-f]{8,64}$/.test(fingerprint) ? { type, fingerprint } : undefined;
}

/** Traffic flows under it, whatever is due. */
const USABLE: ReadonlySet<Status> = new Set<Status>(['OK', 'EXPIRING', 'RENEWAL-OVERDUE']);

/** What counts as renewed: begun after `since` (ms since 1970), or later than what was there when looking began. */
export interface Beginning {
  readonly since: number;
  /** When the certificate that was listed there at first began, in ms: -Infinity if none was, undefined if nobody had looked. */
  readonly firstOf: (item: CertificateItem) => number | undefined;
}

/** Why a certificate is not yet what is waited for, as a phrase; undefined if it is. */
export function lackOf(
  condition: Condition,
  item: CertificateItem,
  beginning: Beginning,
): string | undefined {
  return LACKS[condition.type](condition as never, item, beginning);
}

const LACKS = {
  ready: (_, item) => (USABLE.has(item.status) ? undefined : describeStatus(item)),
  renewed: (_, item, { since, firstOf }) => {
    if (!USABLE.has(item.status)) return describeStatus(item);
    const begun = Date.parse(item.notBefore ?? '');
    const first = firstOf(item);
    // istiod dates certificates back by two minutes: one that replaced another is new however it is dated.
    if (begun > since || (first !== undefined && begun > first)) return undefined;
    return `not renewed since ${item.notBefore}`;
  },
  root: ({ fingerprint }, item) => {
    if (!USABLE.has(item.status)) return describeStatus(item);
    const root = item.anchor?.fingerprintSHA256;
    if (root?.startsWith(fingerprint)) return undefined;
    return root === undefined ? 'under no root' : `under root ${root.slice(0, FINGERPRINT_DIGITS)}`;
  },
  trusts: ({ fingerprint }, item) => {
    if (!USABLE.has(item.status)) return describeStatus(item);
    const roots = item.roots.map(({ fingerprintSHA256 }) => fingerprintSHA256);
    if (roots.some((root) => root.startsWith(fingerprint))) return undefined;
    const shown = roots.map((root) => root.slice(0, FINGERPRINT_DIGITS)).join(', ');
    const only =
      item.peering?.verifier.complete === false ? 'its ztunnel shows only the first of its roots, ' : '';
    return `${only === '' ? 'trusts only ' : only}${shown || 'no root'}`;
  },
  status: ({ statuses }, item) => (statuses.includes(item.status) ? undefined : describeStatus(item)),
} satisfies {
  [T in Condition['type']]: (
    condition: Extract<Condition, { type: T }>,
    item: CertificateItem,
    beginning: Beginning,
  ) => string | undefined;
};

const FINGERPRINT_DIGITS = 12;

/** `EXPIRED`, `UNAVAILABLE: reason`. */
function describeStatus({ status, reason }: Pick<CertificateItem, 'status' | 'reason'>): string {
  return reason === null ? status : `${status}: ${reason}`;
}

/** `ready`, `renewed`, `under root 0a1b2c3d4e5f`, `trusting root 0a1b2c3d4e5f`, `EXPIRED or UNAVAILABLE`. */
export function describeCondition(condition: Condition): string {
  if (condition.type === 'root') return `under root ${condition.fingerprint.slice(0, FINGERPRINT_DIGITS)}`;
  if (condition.type === 'trusts')
    return `trusting root ${condition.fingerprint.slice(0, FINGERPRINT_DIGITS)}`;
  return condition.type === 'status' ? condition.statuses.join(' or ') : condition.type;
}
