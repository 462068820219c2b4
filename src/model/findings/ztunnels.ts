// What `check` says of the ztunnels themselves: ready, reachable, on living nodes, of one version, by the same clock.

import { formatDuration } from '../../base/duration.ts';
import { compareText } from '../../base/order.ts';
import { findLeaseEnd } from '../leases/leases.ts';
import type { Ztunnel, ZtunnelRef } from '../types.ts';
import { findImageTag } from '../ztunnels/ztunnels.ts';
import { type Concerned, type Finder, found, NOBODY, notEvaluated } from './finding.ts';
import { type Situation, whyUnknown } from './situation.ts';

/** Running and staying, while its readiness probe fails. */
export const notReady: Finder = (situation) => {
  const ztunnels = listZtunnels(situation);
  const objects = ztunnels
    .filter(({ pod }) => pod?.status?.phase === 'Running' && !pod.metadata.deletionTimestamp)
    .filter(({ pod }) => !pod?.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'))
    .map((ztunnel) => concernZtunnel(ztunnel, describeRestarts(ztunnel), situation));
  return ztunnels.some(({ pod }) => pod === undefined)
    ? notEvaluated('for dumps without their pods', objects)
    : found(objects);
};

function describeRestarts({ pod }: Ztunnel): string | null {
  const restarts =
    pod?.status?.containerStatuses?.reduce((sum, each) => sum + (each.restartCount ?? 0), 0) ?? 0;
  return restarts === 0 ? null : `${restarts} restarts`;
}

/** Those that failed, where that is to be a finding. */
export const unreachable: Finder = (situation) =>
  found(situation.unreachable.map(({ ztunnel, message }) => concernZtunnel(ztunnel, message, situation)));

/** Nodes with a ztunnel or captured pods whose kubelet has stopped renewing its Lease. */
export const deadNodes: Finder = (situation) => {
  const { nodeLeases, reference } = situation;
  if (situation.source === 'files' && !situation.timeGiven) return notEvaluated('from files only with --now');
  if (!nodeLeases.known) return notEvaluated(whyUnknown('node Leases', nodeLeases)!);
  const ours = new Set([
    ...listZtunnels(situation).flatMap(({ node }) => node ?? []),
    ...situation.captured.flatMap(({ spec }) => spec?.nodeName ?? []),
  ]);
  return found(
    nodeLeases.items
      .filter(({ metadata }) => ours.has(metadata.name))
      .filter((lease) => (findLeaseEnd(lease) ?? Number.POSITIVE_INFINITY) <= reference.getTime())
      .toSorted((a, b) => compareText(a.metadata.name, b.metadata.name))
      .map(({ metadata: { name }, spec }) => ({
        kind: 'Node' as const,
        namespace: null,
        name,
        node: name,
        ztunnel: null,
        detail: `Lease last renewed at ${spec?.renewTime?.replace(/\.\d+Z$/, 'Z')}`,
        hits: situation.hitsOn(name),
      })),
  );
};

/** Those that run another version than most. */
export const versionsDiffer: Finder = (situation) => {
  const versions = listVersions(situation);
  const usual = [...Map.groupBy(versions, ({ version }) => version)]
    .toSorted(([a, of], [b, others]) => others.length - of.length || compareText(a, b))
    .at(0)?.[0];
  if (usual === undefined) return notEvaluated('no ztunnel tells its version');
  return found(
    versions
      .filter(({ version }) => version !== usual)
      .map(({ ztunnel, version }) => concernZtunnel(ztunnel, `${version}, most run ${usual}`, situation)),
  );
};

interface Versioned {
  readonly ztunnel: ZtunnelRef;
  readonly version: string;
}

/** By the dumps' own versions where all were read and all know theirs, else by image tag: the two are not comparable. */
function listVersions(situation: Situation): readonly Versioned[] {
  const own = situation.answers.flatMap(({ ztunnel, dump }) =>
    dump.version === undefined ? [] : [{ ztunnel, version: dump.version }],
  );
  if (situation.deep && own.length > 0 && own.length === situation.answers.length) return own;
  return listZtunnels(situation).flatMap((ztunnel) => {
    const version = ztunnel.pod && findImageTag(ztunnel.pod);
    return version === undefined ? [] : [{ ztunnel, version }];
  });
}

// More than this makes every remaining time on the screen doubtful.
const MAX_SKEW_SECONDS = 30;

/** This machine's clock against the API server's. `--now` has no part in it. */
export const clockSkew: Finder = ({ clockSkewSeconds: skew }) => {
  if (skew === undefined) return notEvaluated('without an API server');
  if (Math.abs(skew) <= MAX_SKEW_SECONDS) return found([]);
  const detail = `${formatDuration(skew)} ${skew > 0 ? 'ahead of' : 'behind'} the API server's`;
  return found([
    { kind: 'Clock', namespace: null, name: 'local clock', node: null, ztunnel: null, detail, hits: NOBODY },
  ]);
};

/** In scope; a dump file's as the pod that it turned out to be. */
function listZtunnels({ ztunnels, answers, source }: Situation): readonly Ztunnel[] {
  return source === 'live' ? ztunnels : answers.map(({ ztunnel }) => ztunnel);
}

function concernZtunnel(ztunnel: ZtunnelRef, detail: string | null, situation: Situation): Concerned {
  const { namespace, name, node } = ztunnel;
  const ref = { namespace, name, node };
  return { kind: 'Ztunnel', ...ref, ztunnel: ref, detail, hits: situation.hitsOn(node) };
}
