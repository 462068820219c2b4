// How an identity comes to have each STATUS: what a ztunnel's config dump then lists for it.

import type { JsonObject } from '../../src/base/json.ts';
import type { DumpCertificate } from '../../src/model/dump.ts';
import type { Status } from '../../src/model/items.ts';
import { type Authorities, authoritiesAt } from './authorities.ts';
import { numberOf } from './names.ts';
import { type Authority, issueLeaf, validity } from './pki.ts';

const HOUR = 3600;

/** A STATUS to bring about, or one of its rarer causes. */
export type Condition =
  | Status
  /** EXPIRED, because an intermediate ran out before the leaf. */
  | 'EXPIRED-INTERMEDIATE'
  /** OK under the second root of a rotation; both roots are listed. */
  | 'ROTATED'
  /** The state as ztunnel would word it, without a certificate. */
  | { readonly state: string }
  /** A leaf whose validity is given in seconds after (negative: before) the scenario's time. */
  | { readonly validFrom: number; readonly validTo: number };

interface Recipe {
  /** Seconds from the scenario's time. */
  readonly from: number;
  readonly to: number;
  readonly issuer?: keyof Authorities;
  readonly name?: (identity: string) => string;
}

/** Without the two minutes that istiod dates back, so that ages are round numbers. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  MISMATCH: { from: -2 * HOUR, to: 22 * HOUR, name: (identity) => `${identity}-canary` },
  'NOT-YET-VALID': { from: HOUR, to: 25 * HOUR },
  EXPIRED: { from: -25 * HOUR, to: -HOUR },
  UNTRUSTED: { from: -2 * HOUR, to: 22 * HOUR, issuer: 'stranger' },
  EXPIRING: { from: -23 * HOUR, to: HOUR },
  'RENEWAL-OVERDUE': { from: -16 * HOUR, to: 8 * HOUR },
  'EXPIRED-INTERMEDIATE': { from: -2 * HOUR, to: 22 * HOUR, issuer: 'expiredIntermediate' },
  ROTATED: { from: -HOUR, to: 23 * HOUR, issuer: 'nextIntermediate' },
} satisfies Partial<Record<Extract<Condition, string>, Recipe>>;

const STATES: Readonly<Record<string, (identity: string) => string>> = {
  UNAVAILABLE: (identity) =>
    `Unavailable: signing gRPC error (The caller does not have permission to execute the specified operation): caller is not authorized to impersonate ${identity}`,
  INITIALIZING: () => 'Initializing',
  // As a later ztunnel might word it.
  UNKNOWN: () => 'Suspended',
} satisfies Partial<Record<Status, (identity: string) => string>>;

/**
 * The entry of `certificates` for an identity in a condition at `at` (RFC 3339), in the shape of ztunnel 1.26 and
 * later; undefined for MISSING, which is having none.
 */
export async function certificateEntry(
  identity: string,
  condition: Condition,
  at: string,
): Promise<JsonObject | undefined> {
  if (condition === 'MISSING') return undefined;
  const state = stateOf(identity, condition);
  if (state !== undefined) return { certChain: [], identity, rootCerts: [], state };
  const authorities = await authoritiesAt(at, trustDomainOf(identity));
  const recipe = recipeOf(identity, condition);
  const issuer = authorities[recipe.issuer ?? 'intermediate'];
  const uri = recipe.name?.(identity) ?? identity;
  const leaf = await issueLeaf(issuer, { uris: [uri], ...validity(at, recipe.from, recipe.to) });
  return {
    certChain: [leaf, issuer.certificate].map(dumpJson),
    identity,
    rootCerts: rootsFor(condition, authorities).map((root) => dumpJson(root.certificate)),
    state: 'Available',
  };
}

/** A certificate as ztunnel 1.21 and later writes it: base64 around the PEM text. */
export function dumpJson(certificate: DumpCertificate): JsonObject {
  return {
    expirationTime: certificate.expirationTime,
    pem: Buffer.from(certificate.pem).toString('base64'),
    serialNumber: certificate.serialNumber,
    validFrom: certificate.validFrom,
  };
}

function stateOf(identity: string, condition: Condition): string | undefined {
  if (typeof condition === 'string') return STATES[condition]?.(identity);
  return 'state' in condition ? condition.state : undefined;
}

function recipeOf(identity: string, condition: Condition): Recipe {
  if (typeof condition === 'object' && 'validFrom' in condition)
    return { from: condition.validFrom, to: condition.validTo };
  const known = typeof condition === 'string' ? RECIPES[condition] : undefined;
  if (known !== undefined) return known;
  // OK: renewed at some time in the first half of a day's lifetime, which differs by identity.
  const age = 300 + numberOf(identity, 11 * HOUR);
  return { from: -age, to: 24 * HOUR - age };
}

function rootsFor(condition: Condition, authorities: Authorities): readonly Authority[] {
  return condition === 'ROTATED' ? [authorities.root, authorities.nextRoot] : [authorities.root];
}

function trustDomainOf(identity: string): string {
  return identity.split('/')[2] ?? 'cluster.local';
}
