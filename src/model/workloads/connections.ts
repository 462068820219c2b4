// How the open connections in dumps become the rows of `connections`, with names and owners.

import { type CapturedPod, type Connection, DIRECTIONS, type Direction } from '../dump.ts';
import type { ConnectionItem } from '../items.ts';
import type { Pod } from '../kubernetes.ts';
import { compareBy, compareText } from '../order.ts';
import type { PodSources } from '../owners/pods.ts';
import { refOf } from '../ztunnels/ztunnels.ts';
import { createNamer, type Namer } from './addressnames.ts';
import { createWorkloadOwnerLookup } from './workloads.ts';

/** One row for each connection: by namespace and name of the pod, inbound first, then by its ends. */
export function joinConnections(input: PodSources): readonly ConnectionItem[] {
  const { pods } = input.inventory;
  const byUid = new Map(pods.known ? pods.items.map((pod) => [pod.metadata.uid, pod]) : []);
  const ownerOf = createWorkloadOwnerLookup(input);
  return input.answers
    .flatMap((answer) => {
      const namer = createNamer(answer.dump);
      return answer.dump.capturedPods.flatMap((captured) => {
        const pod = identifyPod(captured, byUid);
        const common = {
          ztunnel: refOf(answer),
          pod,
          owner:
            pod.name === null
              ? ({ known: false, why: 'unknown' } as const)
              : ownerOf({ cluster: '', kind: 'Pod', namespace: pod.namespace ?? '', name: pod.name }, true),
        };
        return connectionsOf(captured).map(([direction, connection]) => ({
          ...common,
          ...describeConnection(direction, connection, namer),
        }));
      });
    })
    .toSorted(compareConnections);
}

/** All connections of a pod, inbound first, in the order sent. */
export function connectionsOf({ connections }: CapturedPod): readonly (readonly [Direction, Connection])[] {
  return DIRECTIONS.flatMap((direction) =>
    connections[direction].map((connection) => [direction, connection] as const),
  );
}

/** Seen from the pod: what it sends from or receives at, who is at the other end, and where the client meant to go. */
export function endsOf(direction: Direction, { source, actualDestination }: Connection) {
  return direction === 'inbound'
    ? { local: actualDestination, remote: source }
    : { local: source, remote: actualDestination };
}

/** `workloadState` is keyed by the pod's UID; its own `info` is optional before 1.23. */
function identifyPod(
  { uid, namespace, name }: CapturedPod,
  byUid: ReadonlyMap<string | undefined, Pod>,
): ConnectionItem['pod'] {
  const metadata = byUid.get(uid)?.metadata;
  return {
    uid,
    namespace: namespace ?? metadata?.namespace ?? null,
    name: name ?? metadata?.name ?? null,
  };
}

type Described = Pick<ConnectionItem, 'direction' | 'local' | 'remote' | 'target' | 'protocol' | 'raw'>;

function describeConnection(direction: Direction, connection: Connection, namer: Namer): Described {
  const { local, remote } = endsOf(direction, connection);
  const end = (address: string) => ({ address, name: namer(address) });
  const { originalDestination, protocol, raw } = connection;
  return {
    direction,
    local: end(local),
    remote: end(remote),
    target: originalDestination === '' ? null : end(originalDestination),
    protocol,
    raw,
  };
}

const compareConnections = compareBy<ConnectionItem>(
  (a, b) => compareText(a.pod.namespace ?? '', b.pod.namespace ?? ''),
  (a, b) => compareText(a.pod.name ?? '', b.pod.name ?? ''),
  (a, b) => compareText(a.pod.uid, b.pod.uid),
  (a, b) => compareText(a.direction, b.direction),
  (a, b) => compareText(a.local.address, b.local.address),
  (a, b) => compareText(a.remote.address, b.remote.address),
  (a, b) => compareText(a.target?.address ?? '', b.target?.address ?? ''),
  (a, b) => compareText(a.ztunnel.name, b.ztunnel.name),
);
