// Which TLS settings a DestinationRule gives the clients of its host: in general, for a subset, for a port.

import type { ClientTls, DestinationRule, TrafficPolicy } from '../kubernetes.ts';

export interface TlsSettings {
  /** null for all endpoints of the host. */
  readonly subset: string | null;
  /** Labels of the subset's endpoints. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** null for every port but those in `otherwise`. */
  readonly port: number | null;
  /** Ports that have settings of their own. */
  readonly otherwise: ReadonlySet<number>;
  readonly mode: string;
  readonly names: readonly string[];
}

/** In the order of the rule. What it says of TLS for a port replaces all of it; what a subset says stands beside it. */
export function listTlsSettings({ spec }: DestinationRule): readonly TlsSettings[] {
  return [
    ...settingsOf(spec?.trafficPolicy, null, undefined),
    ...(spec?.subsets ?? []).flatMap(({ name = '', labels = {}, trafficPolicy }) =>
      settingsOf(trafficPolicy, name, labels),
    ),
  ];
}

function settingsOf(
  policy: TrafficPolicy | undefined,
  subset: string | null,
  labels: TlsSettings['labels'],
): readonly TlsSettings[] {
  const ports = (policy?.portLevelSettings ?? []).flatMap(({ port, tls }) =>
    port?.number === undefined ? [] : [{ port: port.number, tls }],
  );
  const otherwise = new Set(ports.map(({ port }) => port));
  const settings = (tls: ClientTls | undefined, port: number | null): readonly TlsSettings[] => {
    if (tls === undefined) return [];
    // Without a mode the first of them holds.
    const { mode = 'DISABLE', subjectAltNames = [] } = tls;
    return [{ subset, labels, port, otherwise, mode, names: [...new Set(subjectAltNames)] }];
  };
  return [...settings(policy?.tls, null), ...ports.flatMap(({ port, tls }) => settings(tls, port))];
}
