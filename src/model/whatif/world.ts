// A mesh as it was read, and as it would be: values that changes are applied to, and that reach is asked of.

import type { CertificateEntry, ConfigDump } from '../dump.ts';
import type { Pod } from '../kubernetes.ts';
import type { PeerAuthentication } from '../policies/istioobjects.ts';
import type { Verification } from '../reach/verification.ts';
import { createReachWorld, type ReachWorld } from '../reach/world.ts';
import type { Answer, Failure, Listed } from '../types.ts';
import { keyOfZtunnel } from '../ztunnels/ztunnels.ts';
import { type Authority, createRenewedVerification } from './renewal.ts';

export interface WhatIfWorld {
  /** Whole dumps of one cluster. */
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  /** Whose labels say which policies select them. */
  readonly pods: Listed<Pod>;
  /** The PeerAuthentications of the cluster, which inherit from each other. */
  readonly peerAuthentications: Listed<PeerAuthentication>;
  /** When it is asked, in ms since 1970. */
  readonly at: number;
  readonly rootNamespace: string;
  /** Whether istiod passes policies of a dry run on to ztunnel. */
  readonly passesDryRun: boolean;
  /** Authorities under which certificates would be renewed, by keyOfEntry. */
  readonly renewals: ReadonlyMap<string, Authority>;
}

/** What applying a change brings to light besides its effect. */
export interface WhatIfNote {
  /** `open`: something that the answer depends on is not known. */
  readonly kind: 'said' | 'open';
  /** One sentence, without a full stop. */
  readonly text: string;
}

export interface Changed {
  readonly world: WhatIfWorld;
  readonly notes: readonly WhatIfNote[];
}

/** Pure: gives another world and leaves the one it was given as it is. */
export type Change = (world: WhatIfWorld) => Changed;

/** One after the other, with the notes of all. */
export function applyChanges(world: WhatIfWorld, changes: readonly Change[]): Changed {
  return changes.reduce<Changed>(
    (before, change) => {
      const after = change(before.world);
      return { world: after.world, notes: [...before.notes, ...after.notes] };
    },
    { world, notes: [] },
  );
}

/** `verificationAt` makes the model of trust for a time in ms since 1970. */
export function createWorldToAsk(
  { answers, failures, at, renewals }: WhatIfWorld,
  verificationAt: (at: number) => Verification,
): ReachWorld {
  const authorities = new Map<CertificateEntry, Authority>();
  for (const answer of answers) {
    for (const entry of answer.dump.certificates) {
      const authority = renewals.get(keyOfEntry(answer, entry));
      if (authority !== undefined) authorities.set(entry, authority);
    }
  }
  const verification = verificationAt(at);
  return createReachWorld({
    answers,
    failures,
    at,
    verification:
      authorities.size === 0 ? verification : createRenewedVerification(verification, authorities),
  });
}

/** Tells an identity of a ztunnel from all others. */
export function keyOfEntry({ ztunnel }: Answer, { identity }: CertificateEntry): string {
  return `${keyOfZtunnel(ztunnel)} ${identity}`;
}

/** The same world with other dumps. */
export function mapDumps(
  world: WhatIfWorld,
  change: (dump: ConfigDump, answer: Answer) => ConfigDump,
): WhatIfWorld {
  const answers = world.answers.map((answer) => ({ ...answer, dump: change(answer.dump, answer) }));
  return { ...world, answers };
}
