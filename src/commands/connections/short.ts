// istioctl's connection table: one line per open connection of a dump's pods.

import { compareBy, compareText } from '../../base/order.ts';
import type { CapturedPod, Connection, Direction } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import { connectionsOf, createShortNamer, endsOf, type Namer } from '../../model/workloads/connections.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from '../reports/certificatecolumns.ts';

const header = ['WORKLOAD', 'DIRECTION', 'LOCAL', 'REMOTE', 'REMOTE TARGET', 'PROTOCOL'] as const;
const WORDS = { inbound: 'Inbound', outbound: 'Outbound' } as const satisfies Record<Direction, string>;

export interface ShortConnections {
  /** IPs, not names. */
  readonly raw: boolean;
  readonly isWanted: (pod: CapturedPod) => boolean;
  readonly direction: Direction | undefined;
}

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortConnections(answers: readonly Answer[], options: ShortConnections): ShortTable {
  const several = answers.length > 1;
  const rows = answers.flatMap(({ ztunnel, dump }) => {
    const nameOf: Namer = options.raw ? (address) => address : createShortNamer(dump);
    return dump.capturedPods.filter(options.isWanted).flatMap((pod) =>
      connectionsOf(pod)
        .filter(([direction]) => options.direction === undefined || direction === options.direction)
        .map((each) => ({
          pod,
          row: [...shortRow(pod, each, nameOf), ...(several ? [displayRef(ztunnel)] : [])],
        })),
    );
  });
  return {
    header: several ? [...header, 'ZTUNNEL'] : header,
    rows: rows.sort((a, b) => compareWorkloads(a.pod, b.pod)).map(({ row }) => row),
    padding: 1,
  };
}

function shortRow(
  { uid, name, namespace }: CapturedPod,
  [direction, connection]: readonly [Direction, Connection],
  nameOf: Namer,
): readonly string[] {
  const { local, remote } = endsOf(direction, connection);
  const { originalDestination: target, protocol } = connection;
  return [
    // Before 1.23 the dump may not say whose connections these are.
    name === undefined ? uid : `${name}.${namespace ?? ''}`,
    WORDS[direction],
    nameOf(local),
    nameOf(remote),
    // An inbound one's is a hostname already; istioctl leaves it as it is.
    direction === 'inbound' ? target : nameOf(target),
    protocol,
  ];
}

const compareWorkloads = compareBy<CapturedPod>(
  (a, b) => compareText(a.namespace ?? '', b.namespace ?? ''),
  (a, b) => compareText(a.name ?? '', b.name ?? ''),
);
