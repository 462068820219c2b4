// What the finders of `check` look at: all that was heard of a mesh, and what several of them need to know of it.

import { once } from '../../base/cache.ts';
import type { WarnWithin } from '../../base/duration.ts';
import type { Earlier } from '../capture/earlier.ts';
import { type Issuance, judgeIssuance } from '../capture/issuance.ts';
import { type CapturePicture, pictureCapture } from '../capture/picture.ts';
import { hasSettled, isCaptured } from '../captured.ts';
import type { JoinedCertificates } from '../certificates/certificates.ts';
import { findOutages } from '../certificates/reasons.ts';
import type { CertificateItem, Owners } from '../items.ts';
import type { KubeObject, Lease, Pod } from '../kubernetes.ts';
import { createOwnerLookup, groupByOwner, type OwnerOfPod } from '../owners/owners.ts';
import type { PodSources } from '../owners/pods.ts';
import { joinNames, type NameItem } from '../sans/items.ts';
import { groupByTrust } from '../trust/classes.ts';
import { judgeMatrix, type TrustMatrix } from '../trust/matrix.ts';
import type { Answer, Failure, IstioObjects, Listed, ListedIfThere, Ztunnel } from '../types.ts';
import { keyOfZtunnel, nodeOf, refOf } from '../ztunnels/ztunnels.ts';

export interface SituationInput extends PodSources {
  readonly reference: Date;
  /** `--now` set it: only then do saved Leases tell of dead nodes. */
  readonly timeGiven: boolean;
  readonly warnWithin: WarnWithin;
  /** In scope, asked or not. */
  readonly ztunnels: readonly Ztunnel[];
  /** The pods that are ztunnels; not known where saved objects hold none. */
  readonly ztunnelPods: Listed<Pod>;
  /** What could not be asked and is to be a finding (`--allow-partial`); else empty. */
  readonly unreachable: readonly Failure[];
  readonly joined: JoinedCertificates;
  /** The only nodes that were asked for; empty for all. */
  readonly nodes: readonly string[];
  readonly nodeLeases: Listed<Lease>;
  /** Above all their labels: what is to be captured. */
  readonly namespaces: ListedIfThere<KubeObject>;
  /** Of ztunnels in scope. */
  readonly failures: readonly Failure[];
  /** From an earlier look at the same mesh. */
  readonly earlier: Earlier;
  readonly istio: IstioObjects;
  /** Whole dumps of all ztunnels were read. */
  readonly deep: boolean;
  readonly clockSkewSeconds: number | undefined;
}

/** The input, and what follows from it. */
export interface Situation extends SituationInput {
  /** Certificates that a ztunnel lists and that somebody needs, as far as that is known. */
  readonly needed: readonly CertificateItem[];
  /** Certificates that nothing on their node uses. */
  readonly unused: readonly CertificateItem[];
  /** Nodes whose ztunnels can't reach the CA: what is not listed there may only not have been fetched yet. */
  readonly outages: ReadonlySet<string | null>;
  /** What of the needed ones can be verified by whom; worked out once it is asked for. */
  readonly trust: () => TrustMatrix;
  /** What is known of capture and freshness; worked out once it is asked for. */
  readonly capture: () => CapturePicture;
  /** Who gets no certificates from the CA; worked out once it is asked for. */
  readonly issuance: () => Issuance;
  /** Pods that ztunnel has captured for more than a minute; empty where pods are not known. */
  readonly captured: readonly Pod[];
  /** The answers whose workloads were read. */
  readonly whole: readonly Answer[];
  /** Those whose services were read as well. */
  readonly meshKnown: readonly Answer[];
  /** What clients expect of services, as far as that is known. */
  readonly expectedNames: readonly NameItem[];
  /** By keyOfZtunnel. */
  readonly answerOf: ReadonlyMap<string, Answer>;
  /** Nodes of ztunnels that answered. */
  readonly answeredNodes: ReadonlySet<string>;
  readonly ownerOf: (pod: Pod) => OwnerOfPod;
  /** Pods as whose they are. */
  readonly ownersOf: (pods: readonly Pod[]) => Owners;
  /** The captured pods of a node. */
  readonly hitsOn: (node: string | null) => Owners;
}

/** Works out what follows from what was heard. */
export function createSituation(input: SituationInput): Situation {
  const { inventory, joined, reference, answers } = input;
  const ownerOf = createOwnerLookup(inventory);
  const inScope = (pod: Pod) => input.nodes.length === 0 || input.nodes.includes(pod.spec?.nodeName ?? '');
  const pods = inventory.pods.known ? inventory.pods.items.filter(inScope) : [];
  const captured = pods.filter((pod) => isCaptured(pod) && hasSettled(pod, reference));
  const byNode = Map.groupBy(captured, ({ spec }) => spec?.nodeName ?? '');
  const listed = joined.items.filter(({ ztunnel }) => ztunnel !== null);
  const trust = once(() => {
    const at = reference.getTime();
    return judgeMatrix(groupByTrust(joined.items, joined.verification, at), joined.verification, at);
  });
  const ownersOf = (members: readonly Pod[]): Owners => ({
    known: true,
    owners: groupByOwner(members.map((pod) => ({ name: pod.metadata.name, owner: ownerOf(pod) }))),
  });
  const whole = answers.filter(({ dump }) => dump.sections.has('workloads'));
  const meshKnown = whole.filter(({ dump }) => dump.sections.has('services'));
  const needed = listed.filter((item) => !isUnused(item));
  return {
    ...input,
    capture: once(() => pictureCapture({ ...input, pods: inventory.pods })),
    issuance: once(() => judgeIssuance(needed, listed, reference)),
    needed,
    unused: listed.filter(isUnused),
    outages: findOutages(listed),
    trust,
    captured,
    whole,
    meshKnown,
    expectedNames: joinNames({ ...input, whole: meshKnown }),
    answerOf: new Map(answers.map((answer) => [keyOfZtunnel(refOf(answer)), answer])),
    answeredNodes: new Set(answers.flatMap((answer) => nodeOf(answer) ?? [])),
    ownerOf,
    ownersOf,
    hitsOn: (node) =>
      inventory.pods.known
        ? ownersOf(byNode.get(node ?? '') ?? [])
        : { known: false, why: inventory.pods.why === 'forbidden' ? 'forbidden' : 'unknown' },
  };
}

function isUnused({ use }: CertificateItem): boolean {
  return use.state === 'unused';
}

/** Why a finder that needs a list can't look; undefined when the list is known. */
export function whyUnknown(what: string, listed: ListedIfThere<unknown>): string | undefined {
  if (listed.known) return undefined;
  return {
    'not-asked': `without ${what}`,
    forbidden: `${what} are forbidden`,
    failed: `${what} failed`,
    absent: `the cluster has no ${what}`,
  }[listed.why];
}
