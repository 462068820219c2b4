// Which identities ought to have a certificate on a node, while none of its ztunnels lists one.

import { compareText } from '../../base/order.ts';
import { ageOf, isCaptured, SETTLING_SECONDS } from '../captured.ts';
import { keyOf, listOwnWorkloads, type Place, placeOf } from '../owners/pods.ts';
import type { Answer, Failure, Inventory, Ztunnel } from '../types.ts';
import { describeNodeless, keyOfZtunnel, nodeOf } from '../ztunnels/ztunnels.ts';
import { type Identity, parseIdentity } from './identity.ts';
import type { Use } from './use.ts';

export interface MissingInput {
  readonly answers: readonly Answer[];
  /** Every ztunnel in scope, asked or not. */
  readonly ztunnels: readonly Ztunnel[];
  readonly failures: readonly Failure[];
  readonly inventory: Inventory;
  readonly reference: Date;
  readonly source: 'live' | 'files';
  /** False when owners were not to be looked up. */
  readonly evaluateMissing: boolean;
}

export interface MissingIdentity extends Identity {
  readonly node: string;
  /** For how long it has been needed. */
  readonly use: Exclude<Use, { readonly state: 'unused' }>;
}

/** What is missing, each once, and a sentence on what was left out; or the one that says why it can't be known. */
export type Missing =
  | {
      readonly evaluated: true;
      readonly identities: readonly MissingIdentity[];
      readonly gap: string | undefined;
    }
  | { readonly evaluated: false; readonly why: string };

/** Looks for pods, or from files for the dumps' own workloads, whose identity no ztunnel of their node lists. */
export function findMissing(input: MissingInput): Missing {
  const expected = listExpected(input);
  if (typeof expected === 'string') return { evaluated: false, why: expected };
  const nodes = groupByNode(input.answers);
  const judged = new Map<string, ReadonlySet<string>>();
  for (const [node, answers] of nodes) {
    if (isJudgeable(node, answers, input)) judged.set(node, listedOn(node, answers));
  }
  const missing = new Map<string, Expected>();
  for (const one of expected) {
    if (judged.get(one.node)?.has(keyOf(one)) !== false) continue;
    const known = missing.get(keyOf(one));
    if (known === undefined || (one.seconds ?? 0) > (known.seconds ?? 0)) missing.set(keyOf(one), one);
  }
  const meshDomain = findCommonDomain(input.answers);
  const identities = [...missing.values()].map(({ node, namespace, serviceAccount, seconds }) => ({
    use: {
      state: 'used' as const,
      oldestSeconds: seconds,
      settled: seconds === undefined ? undefined : seconds > SETTLING_SECONDS,
    },
    trustDomain: findCommonDomain(nodes.get(node) ?? []) ?? meshDomain ?? 'cluster.local',
    namespace,
    serviceAccount,
    node,
  }));
  return { evaluated: true, identities, gap: describeNodeless(input.answers) };
}

const NOT_KNOWN = {
  'not-asked': 'MISSING certificates were not looked for: pods were not listed.',
  forbidden: 'MISSING certificates were not looked for: listing pods is forbidden.',
  failed: 'MISSING certificates were not looked for: listing pods failed.',
} as const;

/** Where an identity is needed, and for how many seconds; undefined where that is not known. */
interface Expected extends Place {
  readonly seconds: number | undefined;
}

function listExpected(input: MissingInput): readonly Expected[] | string {
  const { answers, inventory, reference, source } = input;
  if (!input.evaluateMissing) return NOT_KNOWN['not-asked'];
  const { pods } = inventory;
  if (pods.known) {
    return pods.items.filter(isCaptured).flatMap((pod) => {
      const place = placeOf(pod);
      const seconds = ageOf(pod, reference);
      return place === undefined || Number.isNaN(seconds) ? [] : [{ ...place, seconds }];
    });
  }
  if (source === 'live' || pods.why !== 'not-asked') return NOT_KNOWN[pods.why];
  const readable = answers.filter(({ dump }) => dump.sections.has('workloads'));
  if (readable.length === 0)
    return 'MISSING certificates were not looked for: no dump has readable workloads.';
  // What ztunnel fetches ahead: a waypoint or gateway (nativeTunnel) is left out, since it has its own.
  return readable
    .flatMap(listOwnWorkloads)
    .filter(({ protocol, nativeTunnel }) => protocol === 'HBONE' && !nativeTunnel)
    .map(({ node, namespace, serviceAccount }) => ({ node, namespace, serviceAccount, seconds: undefined }));
}

/** At least one Running ztunnel, none Dedicated, all answered with certificates that could be read. */
function isJudgeable(
  node: string,
  answers: readonly Answer[],
  { ztunnels, failures }: Pick<MissingInput, 'ztunnels' | 'failures'>,
): boolean {
  const answered = new Set(answers.map(({ ztunnel }) => keyOfZtunnel(ztunnel)));
  const inScope = ztunnels.filter((ztunnel) => ztunnel.node === node && isRunning(ztunnel));
  return (
    (inScope.length > 0 || answers.some(({ ztunnel }) => isRunning(ztunnel))) &&
    inScope.every((ztunnel) => answered.has(keyOfZtunnel(ztunnel))) &&
    // Also a second dump of the node that broke off, which is no ztunnel in scope.
    !failures.some(({ ztunnel, severity }) => ztunnel.node === node && severity === 'error') &&
    answers.every(({ dump }) => dump.config.proxyMode !== 'Dedicated') &&
    answers.every(hasReadableCertificates)
  );
}

/** A dump file without its pod counts as running. */
function isRunning({ pod }: Ztunnel): boolean {
  return pod === undefined || pod.status?.phase === 'Running';
}

function hasReadableCertificates({ dump }: Answer): boolean {
  return (
    dump.sections.has('certificates') && dump.problems.every(({ section }) => section !== 'certificates')
  );
}

function groupByNode(answers: readonly Answer[]): ReadonlyMap<string, readonly Answer[]> {
  const groups = Map.groupBy(answers, nodeOf);
  return new Map([...groups].flatMap(([node, members]) => (node === null ? [] : [[node, members]])));
}

/** Keys of the places that the node's ztunnels list, whatever the trust domain: a pod does not carry one. */
function listedOn(node: string, answers: readonly Answer[]): ReadonlySet<string> {
  return new Set(listIdentities(answers).map((identity) => keyOf({ ...identity, node })));
}

function findCommonDomain(answers: readonly Answer[]): string | undefined {
  const groups = Map.groupBy(listIdentities(answers), ({ trustDomain }) => trustDomain);
  return [...groups]
    .toSorted(([a, of], [b, others]) => others.length - of.length || compareText(a, b))
    .at(0)?.[0];
}

function listIdentities(answers: readonly Answer[]): readonly Identity[] {
  return answers.flatMap(({ dump }) =>
    dump.certificates.flatMap(({ identity }) => parseIdentity(identity) ?? []),
  );
}
