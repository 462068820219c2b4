// What `check` says of capture: pods whose label, annotation, ztunnel and istiod do not agree.

import { formatDuration } from '../../base/duration.ts';
import { compareBy, compareText } from '../../base/order.ts';
import type { Asked } from '../capture/asked.ts';
import type { ComparedPod, Disagreement } from '../capture/compare.ts';
import { ageOf, DATAPLANE_MODE } from '../captured.ts';
import type { Pod } from '../kubernetes.ts';
import { nodeOf, refOf } from '../ztunnels/ztunnels.ts';
import {
  type Concerned,
  type Finder,
  type FindingSeverity,
  found,
  notEvaluated,
  UNKNOWN_HITS,
} from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Redirected by istio-cni, and never handed to a ztunnel of its node: every connection of it fails. */
export const notEnrolled: Finder = (situation) => {
  const { emptyNodes } = situation.capture();
  const objects = concernAll('notEnrolled', situation, ({ node, redirection }) =>
    // That its ztunnel has nothing at all is a finding of its own.
    emptyNodes.has(node) ? undefined : { detail: redirection === undefined ? SAID_CAPTURED : null },
  );
  return withEntries(objects, situation);
};

const SAID_CAPTURED = 'istiod says that it is captured (HBONE)';

/** In a ztunnel's hands, without a proxy that runs. */
export const proxyPending: Finder = (situation) => {
  const objects = concernAll('proxyPending', situation, ({ entries, pod }) => ({
    detail: `its proxy is ${entries[0]!.captured.state || 'not there'}${
      pod === undefined ? ', for how long is not known' : ''
    }`,
    // It may have started a moment ago.
    ...(pod === undefined && { severity: 'warning' as const }),
  }));
  return withEntries(objects, situation);
};

/** Handed over under an account, or on a node, for which istiod has no workload. */
export const enrolledOtherwise: Finder = (situation) => {
  const objects = concernAll('enrolledOtherwise', situation, (compared) => ({
    detail: describeOtherwise(compared),
  }));
  const unsaid = new Set(
    situation
      .capture()
      .pods.filter(({ entries, said }) => entries.length > 0 && !said.known)
      .map(({ node }) => node),
  );
  const { answers, deep } = situation;
  if (unsaid.size === 0) return withEntries(objects, situation);
  return notEvaluated(
    deep
      ? `${unsaid.size} of ${answers.length} ztunnels have no workloads that could be read`
      : `${answers.length - unsaid.size} of ${answers.length} ztunnels; --deep reads all`,
    objects,
  );
};

function describeOtherwise({ entries, said, node }: ComparedPod): string {
  const account = entries[0]!.captured.serviceAccount ?? 'default';
  const workload = said.known ? said.workload : undefined;
  if (workload === undefined) return `handed over with account ${account}; istiod has no such workload`;
  return workload.serviceAccount === account
    ? `handed over on ${node}; istiod has it on ${workload.node}`
    : `handed over with account ${account}; istiod says ${workload.serviceAccount}`;
}

/** What peers are told to send to it is not what it takes. */
export const protocolDiffers: Finder = (situation) => {
  const hbone = concernAll('saidHbone', situation, () => ({
    detail: 'istiod says HBONE, and it is not captured: mesh clients can not reach it',
  }));
  const tcp = concernAll('saidTcp', situation, () => ({
    detail: 'istiod says TCP, and it is captured: clients reach it in plain text, without an identity',
    severity: 'warning' as const,
  }));
  return withEntries([...hbone, ...tcp], situation);
};

/** To be captured by its labels, and not redirected; one object an owner. */
export const uncaptured: Finder = (situation) => {
  const { pods } = situation.inventory;
  if (!pods.known) return notEvaluated(whyUnknown('pods', pods)!);
  const strangers = listCompared('unasked', situation);
  if (strangers.length > 0) {
    return notEvaluated(
      `${strangers.length} captured pods are not asked for by ${DATAPLANE_MODE}: istio-cni may select by other labels`,
    );
  }
  const byOwner = Map.groupBy(situation.capture().pods, (compared) => keyOfOwner(compared, situation));
  const objects = [...byOwner]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, members]) => concernOwner(members, situation) ?? []);
  return withNamespaces(objects, situation);
};

function keyOfOwner({ pod }: ComparedPod, { ownerOf }: Situation): string {
  if (pod === undefined) return '';
  const { kind, namespace, name } = ownerOf(pod);
  return `${namespace}/${kind}/${name}`;
}

const NAMES_SHOWN = 3;

function concernOwner(members: readonly ComparedPod[], situation: Situation): Concerned | undefined {
  const lacking = members.filter(({ disagreement }) => disagreement === 'uncaptured');
  const [first] = lacking;
  if (first?.pod === undefined) return undefined;
  const { kind, namespace, name } = situation.ownerOf(first.pod);
  const names = lacking.map((each) => each.name).toSorted(compareText);
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const count = `${lacking.length} of ${members.length} ${members.length === 1 ? 'pod' : 'pods'} ${lacking.length === 1 ? 'is' : 'are'} not captured`;
  return {
    kind: 'Owner',
    namespace,
    name: `${kind}/${name}`,
    node: first.node,
    ztunnel: null,
    detail: `${count}, though ${ASKED_BY[askedBy(first.asked)]}${kind === 'Pod' ? '' : `: ${shown}${more}`}`,
    hits: situation.ownersOf(lacking.flatMap(({ pod }) => pod ?? [])),
  };
}

const ASKED_BY = {
  pod: `its label ${DATAPLANE_MODE} asks for it`,
  namespace: 'its namespace asks for it',
} as const;

function askedBy(asked: Asked): keyof typeof ASKED_BY {
  return asked.asked === 'yes' ? asked.by : 'pod';
}

/** Redirected, though neither pod nor namespace asks for it any more. */
export const capturedUnasked: Finder = (situation) => {
  const { pods } = situation.inventory;
  if (!pods.known) return notEvaluated(whyUnknown('pods', pods)!);
  return withNamespaces(
    concernAll('unasked', situation, () => ({ detail: null })),
    situation,
  );
};

/** Of pods whose own labels decide, all is known without Namespaces. */
function withNamespaces(objects: readonly Concerned[], { namespaces }: Situation) {
  const why = whyUnknown('namespaces', namespaces);
  return why === undefined ? found(objects) : notEvaluated(why, objects);
}

/** Where an entry that is missing is not known to be missing, it is said. */
function withEntries(objects: readonly Concerned[], situation: Situation) {
  const { answers, inventory, source } = situation;
  const why = source === 'live' || inventory.pods.known ? whyUnknown('pods', inventory.pods) : undefined;
  if (why !== undefined) return notEvaluated(why, objects);
  if (answers.length === 0) return notEvaluated('no ztunnel answered', objects);
  const old = answers.filter(({ dump }) => !dump.sections.has('workloadState'));
  if (old.length === 0) return found(objects);
  return notEvaluated('dumps from before ztunnel 1.22 do not say', objects);
}

interface Particular {
  readonly detail: string | null;
  readonly severity?: FindingSeverity;
}

function listCompared(disagreement: Disagreement, situation: Situation): readonly ComparedPod[] {
  return situation
    .capture()
    .pods.filter((compared) => compared.disagreement === disagreement && isInScope(compared, situation));
}

/** The pods with a disagreement, each with what is particular; undefined leaves one out. */
function concernAll(
  disagreement: Disagreement,
  situation: Situation,
  particularOf: (compared: ComparedPod) => Particular | undefined,
): readonly Concerned[] {
  return listCompared(disagreement, situation)
    .toSorted(compareCompared)
    .flatMap((compared) => {
      const particular = particularOf(compared);
      return particular === undefined ? [] : [concernCompared(compared, particular, situation)];
    });
}

function concernCompared(
  { namespace, name, node, pod, entries }: ComparedPod,
  { detail, severity }: Particular,
  situation: Situation,
): Concerned {
  const age = pod === undefined ? undefined : describeAge(pod, situation.reference);
  const parts = [detail, age].filter((part) => part !== null && part !== undefined);
  return {
    kind: 'Pod',
    namespace,
    name,
    node,
    ztunnel: ztunnelOf(node, entries, situation),
    ...(severity !== undefined && { severity }),
    detail: parts.length === 0 ? null : parts.join('; '),
    hits: pod === undefined ? UNKNOWN_HITS : situation.ownersOf([pod]),
  };
}

function describeAge(pod: Pod, reference: Date): string | undefined {
  const age = ageOf(pod, reference);
  return Number.isNaN(age) ? undefined : `started ${formatDuration(age)} ago`;
}

/** The one that has it, else the one that ought to. */
function ztunnelOf(node: string, entries: ComparedPod['entries'], { answers }: Situation) {
  const answer = entries[0]?.answer ?? answers.find((each) => nodeOf(each) === node);
  return answer === undefined ? null : refOf(answer);
}

function isInScope({ node }: ComparedPod, { nodes }: Situation): boolean {
  return nodes.length === 0 || nodes.includes(node);
}

const compareCompared = compareBy<ComparedPod>(
  (a, b) => compareText(a.namespace, b.namespace),
  (a, b) => compareText(a.name, b.name),
);
