// Which authorities a test mesh has: the one in use, the next one of a rotation, an expired one and a stranger.

import { type Authority, createIntermediate, createRoot, type Validity, validity } from './pki.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;

export interface Authorities {
  readonly root: Authority;
  readonly intermediate: Authority;
  /** A second root and its intermediate: both roots are listed while a rotation is under way. */
  readonly nextRoot: Authority;
  readonly nextIntermediate: Authority;
  /** Signed by `root`, and out of date since an hour. */
  readonly expiredIntermediate: Authority;
  /** Signed by a root that nobody lists. */
  readonly stranger: Authority;
}

const made = new Map<string, Promise<Authorities>>();

/** The authorities of a mesh as seen at `at`; the same ones each time within a process. */
export function authoritiesAt(at: Date | string, trustDomain = 'cluster.local'): Promise<Authorities> {
  const key = `${trustDomain} ${new Date(at).toISOString()}`;
  const known = made.get(key) ?? create(at, trustDomain);
  made.set(key, known);
  return known;
}

async function create(at: Date | string, trustDomain: string): Promise<Authorities> {
  const during = (from: number, to: number): Validity => validity(at, from, to);
  const name = (common: string) => `O=${trustDomain},CN=${common}`;
  const root = await createRoot(name('Root CA'), during(-30 * DAY, 10 * YEAR));
  const nextRoot = await createRoot(name('Root CA 2'), during(-DAY, 10 * YEAR));
  const elsewhere = await createRoot('O=elsewhere.example,CN=Root CA', during(-30 * DAY, 10 * YEAR));
  return {
    root,
    nextRoot,
    intermediate: await createIntermediate(root, name('Intermediate CA'), during(-20 * DAY, YEAR)),
    nextIntermediate: await createIntermediate(nextRoot, name('Intermediate CA 2'), during(-DAY, YEAR)),
    expiredIntermediate: await createIntermediate(root, name('Intermediate CA 0'), during(-YEAR, -3600)),
    stranger: await createIntermediate(
      elsewhere,
      'O=elsewhere.example,CN=Intermediate CA',
      during(-DAY, YEAR),
    ),
  };
}
