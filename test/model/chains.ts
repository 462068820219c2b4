// The chains of certificates that model tests judge, all made for one moment.

import {
  type Authority,
  createIntermediate,
  createRoot,
  issueLeaf,
  type LeafRequest,
  validity,
} from '../mesh/pki.ts';
import { available, CART } from './values.ts';

/** Leaves are valid for 24 hours from here. */
export const START = '2026-06-01T00:00:00Z';
export const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;

/** START and so many seconds. */
export function later(seconds: number): Date {
  return new Date(Date.parse(START) + seconds * 1000);
}

const long = validity(START, -YEAR, YEAR);

export const root = await createRoot('O=cluster.local,CN=Root CA', long);
export const intermediate = await createIntermediate(root, 'O=cluster.local,CN=Intermediate CA', long);

/** A leaf of CART, valid for 24 hours from START. */
export function leafOf(issuer: Authority, request: Partial<LeafRequest> = {}) {
  return issueLeaf(issuer, { uris: [CART], ...validity(START, 0, 24 * HOUR), ...request });
}

/** An intermediate of the root that is valid from and to so many seconds after START. */
export function intermediateFor(from: number, to: number) {
  return createIntermediate(root, 'CN=Other CA', validity(START, from, to));
}

/** The chain of a certificate that has nothing wrong with it, and the entry that holds it. */
export const mid = intermediate.certificate;
export const roots = [root.certificate];
export const leaf = await leafOf(intermediate);
export const good = available([leaf, mid], roots);
