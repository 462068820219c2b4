// How far each root has come: who presents it, who trusts it, and whether it may be signed with or dropped.

import { compareBy, compareText } from '../../base/order.ts';
import { compareNewest } from '../certificates/rotation.ts';
import type { ParsedCertificate } from '../certificates/x509.ts';
import type { CertificateItem, X509Facts } from '../items.ts';
import { countMembers, type MemberCounts, type TrustClass } from './classes.ts';

/** One root within one trust domain, among the certificates in use. */
export interface RootUse {
  readonly trustDomain: string;
  readonly root: X509Facts;
  /** None of those that are presented or trusted in the trust domain began later. */
  readonly isNewest: boolean;
  /** Whose chains end in it. */
  readonly presentedBy: RootUsers;
  /** Who takes what it has signed; an identity counts if it does on all of its nodes. */
  readonly trustedBy: RootUsers;
  /** Who does not, as far as dumps show; one that was issued anew with the same name and key is the same to them. */
  readonly untrustedBy: RootUsers;
  /** Who may or may not: their ztunnels show only one of several roots. */
  readonly unknownTo: RootUsers;
  /** All trust it: a CA may sign with it now. undefined where only what is not shown could stand in the way. */
  readonly maySign: boolean | undefined;
  /** Nobody presents it: it may be taken out of the trust bundle now. */
  readonly mayDrop: boolean;
}

export interface RootUsers {
  readonly members: readonly CertificateItem[];
  readonly counts: MemberCounts;
}

/** By trust domain, the newest first. */
export function listRootUses(classes: readonly TrustClass[]): readonly RootUse[] {
  return [...Map.groupBy(classes, ({ trustDomain }) => trustDomain)]
    .flatMap(([trustDomain, own]) => usesIn(trustDomain, own))
    .toSorted(
      compareBy<RootUse>(
        (a, b) => compareText(a.trustDomain, b.trustDomain),
        (a, b) => compareNewest(a.root, b.root),
      ),
    );
}

function usesIn(trustDomain: string, classes: readonly TrustClass[]): readonly RootUse[] {
  const roots = new Map<string, ParsedCertificate>();
  for (const { verifier } of classes) {
    for (const root of verifier.roots) roots.set(root.facts.fingerprintSHA256, root);
  }
  const newest = [...roots.values()].map(({ facts }) => facts).toSorted(compareNewest)[0];
  return [...roots.values()].map((root) => {
    const trusting = classes.filter((one) => trusts(one, root));
    const others = classes.filter((one) => !trusting.includes(one));
    const untrusting = others.filter(({ complete }) => complete);
    const presenting = classes.filter(
      ({ anchor }) => anchor?.fingerprintSHA256 === root.facts.fingerprintSHA256,
    );
    return {
      trustDomain,
      root: root.facts,
      isNewest: root.facts.notBefore === newest?.notBefore,
      presentedBy: usersOf(presenting),
      trustedBy: throughout(usersOf(trusting), others),
      untrustedBy: usersOf(untrusting),
      unknownTo: usersOf(others.filter(({ complete }) => !complete)),
      maySign: untrusting.length > 0 ? false : others.length > 0 ? undefined : true,
      mayDrop: presenting.length === 0,
    };
  });
}

/** To rustls a root is a name, a key and constraints: the certificate around them may differ. */
function trusts({ verifier }: TrustClass, { tls }: ParsedCertificate): boolean {
  return verifier.roots.some(
    ({ tls: own }) =>
      own.subjectName === tls.subjectName &&
      own.key === tls.key &&
      JSON.stringify(own.constraints) === JSON.stringify(tls.constraints),
  );
}

function usersOf(classes: readonly TrustClass[]): RootUsers {
  const members = classes.flatMap((one) => one.members);
  return { members, counts: countMembers(members) };
}

function throughout({ members, counts }: RootUsers, others: readonly TrustClass[]): RootUsers {
  const key = ({ cluster = '', identity }: CertificateItem) => `${cluster} ${identity}`;
  const not = new Set(others.flatMap((one) => one.members).map(key));
  const identities = new Set(members.map(key).filter((identity) => !not.has(identity))).size;
  return { members, counts: { ...counts, identities } };
}
