// What `check` says of single certificates: their status, whether anybody needs them, how long they live.

import { formatDuration } from '../../base/duration.ts';
import { classifyReason, findTtls, type ReasonKindName } from '../certificates/reasons.ts';
import type { UnusedWhy } from '../certificates/use.ts';
import type { CertificateItem, Status } from '../items.ts';
import { keyOfZtunnel, listNodeless } from '../ztunnels/ztunnels.ts';
import { type Concerned, type Finder, found, notEvaluated } from './finding.ts';
import type { Situation } from './situation.ts';

/** A certificate as an object of a finding. */
export function concernCertificate(item: CertificateItem, detail: string | null = item.reason): Concerned {
  return {
    kind: 'Certificate',
    namespace: item.namespace,
    name: item.serviceAccount ?? item.identity,
    node: item.node,
    ztunnel: item.ztunnel,
    detail,
    hits: item.owners,
  };
}

/** Certificates of a status that somebody needs. */
export function withStatus(
  status: Exclude<Status, 'OK' | 'MISSING' | 'UNAVAILABLE' | 'INITIALIZING'>,
): Finder {
  return ({ needed }) =>
    found(needed.filter((item) => item.status === status).map((item) => concernCertificate(item)));
}

/** UNAVAILABLE ones by the kind of their reason. */
export function unavailable(kind: Exclude<ReasonKindName, 'notNeeded'>): Finder {
  return ({ needed }) => found(needed.filter((item) => reasonKindOf(item) === kind).map(concernBySeverity));
}

/** What a ztunnel could not fetch, and behind it what it has not come to yet: it fetches one after another. */
export const unreachableAuthority: Finder = (situation) => {
  const failed = situation.needed.filter((item) => reasonKindOf(item) === 'unreachable');
  const waiting = situation.joined.items.filter((item) => isWaiting(item, situation));
  return found([
    ...failed.map(concernBySeverity),
    ...waiting.map((item) => ({ ...concernBySeverity(item), detail: `not fetched yet (${item.status})` })),
  ]);
};

/** The first certificate of an identity, where no outage explains it. */
export const initializing: Finder = (situation) =>
  found(
    situation.needed
      .filter((item) => item.status === 'INITIALIZING' && !isWaiting(item, situation))
      .map(concernBySeverity),
  );

/** Whether it has no certificate only because the CA of its node can't be reached. */
function isWaiting({ status, node, use }: CertificateItem, { outages }: Situation): boolean {
  return (status === 'MISSING' || status === 'INITIALIZING') && use.state !== 'unused' && outages.has(node);
}

/** One that a young pod waits for is less than the finding says. */
function concernBySeverity(item: CertificateItem): Concerned {
  const { severity } = item;
  return severity === 'warning' || severity === 'critical'
    ? { ...concernCertificate(item), severity }
    : concernCertificate(item);
}

/** Whether its last pod has left, or none was known to begin with. */
export const notNeeded: Finder = ({ needed, unused }) =>
  found(
    [...needed, ...unused]
      .filter((item) => reasonKindOf(item) === 'notNeeded')
      .map((item) => concernCertificate(item)),
  );

/** A lifetime that the CA refuses, with both figures. */
export const refusedTtls: Finder = ({ needed }) =>
  found(
    needed
      .filter((item) => reasonKindOf(item) === 'ttlRefused')
      .map((item) => {
        const { asked, allowed } = findTtls(item.reason ?? '') ?? { asked: '?', allowed: '?' };
        return { ...concernBySeverity(item), detail: `asks for ${asked}, the CA allows ${allowed}` };
      }),
  );

export const missing: Finder = (situation) => {
  const { joined, answers } = situation;
  // What lists nothing at all has never had its configuration: that is what is wrong there.
  const { emptyNodes } = situation.capture();
  const objects = joined.items
    .filter((item) => item.status === 'MISSING' && !emptyNodes.has(item.node ?? ''))
    .filter((item) => !isWaiting(item, situation))
    .map(concernBySeverity);
  if (joined.missingNotEvaluated === undefined) return found(objects);
  const nodeless = new Set(listNodeless(answers));
  return notEvaluated(
    nodeless.size > 0
      ? `without the node of ${nameSome(nodeless)}`
      : 'without a list of pods or readable workloads',
    objects,
  );
};

/** Whatever their status. Without pods, or workloads to stand in for them, nothing is known to be an orphan. */
export const orphans: Finder = ({ unused, needed }) => {
  const objects = unused
    .filter((item) => whyUnused(item) !== 'waypoint' && reasonKindOf(item) !== 'notNeeded')
    .map((item) => concernCertificate(item, describeUnused(item)));
  return needed.some(({ owners }) => !owners.known)
    ? notEvaluated('where the pods of a node are not known', objects)
    : found(objects);
};

/** What is wrong with those of waypoints and gateways, which present their own. */
export const neverPresented: Finder = ({ unused, whole }) => {
  const objects = unused
    .filter((item) => whyUnused(item) === 'waypoint' && item.status !== 'OK')
    .map((item) => concernCertificate(item, describeStatus(item)));
  return whole.length === 0 ? notEvaluated('without a whole dump', objects) : found(objects);
};

function whyUnused({ use }: CertificateItem): UnusedWhy | undefined {
  return use.state === 'unused' ? use.why : undefined;
}

/** That no pod uses it is what the finding says. */
function describeUnused(item: CertificateItem): string | null {
  const parts = [
    ...(item.use.state === 'unused' && item.use.why !== 'noPods' ? [item.use.detail] : []),
    ...(item.status === 'OK' ? [] : [describeStatus(item)]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function describeStatus({ status, reason }: CertificateItem): string {
  return reason === null ? status : `${status}: ${reason}`;
}

function reasonKindOf({ status, reason }: CertificateItem): ReasonKindName | undefined {
  return status === 'UNAVAILABLE' ? classifyReason(reason) : undefined;
}

// istiod dates certificates back by two minutes, and other authorities round; short lifetimes feel it most.
const SLACK_SECONDS = 300;

/** Less than half or more than twice of what ztunnel asked for. */
export const lifetimes: Finder = (situation) =>
  found(
    situation.needed.flatMap((item) => {
      const asked = situation.answerOf.get(item.ztunnel ? keyOfZtunnel(item.ztunnel) : '')?.dump.config
        .secretTtlSeconds;
      if (asked === undefined || item.notBefore === null || item.notAfter === null) return [];
      const issued = (Date.parse(item.notAfter) - Date.parse(item.notBefore)) / 1000;
      const isFar = issued < asked / 2 || issued > 2 * asked + SLACK_SECONDS;
      const detail = `issued for ${formatDuration(issued)}, asked for ${formatDuration(asked)}`;
      return isFar ? [concernCertificate(item, detail)] : [];
    }),
  );

/** Where ztunnel gets its certificates and as whom it asks, for findings in which that matters. */
export function nameAuthority(situation: Situation, objects: readonly Concerned[]): string | undefined {
  const names = new Set(objects.flatMap(({ ztunnel }) => (ztunnel === null ? [] : [keyOfZtunnel(ztunnel)])));
  const answers = situation.answers.filter(({ ztunnel }) => names.has(keyOfZtunnel(ztunnel)));
  const addresses = new Set(answers.flatMap(({ dump }) => dump.config.caAddress ?? []));
  const accounts = new Set(
    answers.flatMap(({ ztunnel: { pod } }) =>
      pod === undefined ? [] : [`${pod.metadata.namespace}/${pod.spec?.serviceAccountName || 'default'}`],
    ),
  );
  if (addresses.size === 0 && accounts.size === 0) return undefined;
  const where = addresses.size === 0 ? 'its CA' : nameSome(addresses);
  const whose = accounts.size === 0 ? '' : ` as service account ${nameSome(accounts)}`;
  return `ztunnel asks ${where}${whose}.`;
}

const NAMES_SHOWN = 3;

function nameSome(names: ReadonlySet<string>): string {
  const more = names.size > NAMES_SHOWN ? ` and ${names.size - NAMES_SHOWN} more` : '';
  return `${[...names].slice(0, NAMES_SHOWN).join(', ')}${more}`;
}
