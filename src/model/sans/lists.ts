// Who says which names clients accept of a service, as lists of names: ztunnel, ServiceEntries, DestinationRules.

import type { Service } from '../dump.ts';
import type { DestinationRule, ServiceEntry } from '../kubernetes.ts';
import type { IstioObjects, ListedIfThere } from '../types.ts';
import { bindRules, isWildcard } from './hosts.ts';
import { listTlsSettings, type TlsSettings } from './tlssettings.ts';

/** Where a list stands. */
export interface NameSource {
  /** `Service`: ztunnel's dump has the names, and no ServiceEntry that is known. */
  readonly kind: 'ServiceEntry' | 'DestinationRule' | 'Service';
  readonly namespace: string;
  readonly name: string;
  readonly subset: string | null;
  readonly port: number | null;
}

export interface NameList {
  readonly source: NameSource;
  /** The TLS mode of a DestinationRule; null for what ztunnel reads. */
  readonly mode: string | null;
  /** The service's host, or as the source names it where there is no such service. */
  readonly host: string;
  readonly service: Service | undefined;
  /** Of the endpoints that are meant; undefined for all. */
  readonly labels: TlsSettings['labels'];
  /** Each once. */
  readonly names: readonly string[];
}

/** Every list that binds somebody, and every DestinationRule that disables TLS, in no order. */
export function listNames(
  services: readonly Service[],
  { serviceEntries, destinationRules }: IstioObjects,
): readonly NameList[] {
  const entries = itemsOf(serviceEntries);
  return [
    ...entries.flatMap((entry) => listsOfEntry(entry, services)),
    ...services.flatMap((service) => leftOver(service, entries)),
    ...bindRules(itemsOf(destinationRules), services).flatMap(({ rule, services: bound }) =>
      listTlsSettings(rule).flatMap((settings) => listsOfSettings(rule, settings, bound)),
    ),
  ];
}

function itemsOf<T>(listed: ListedIfThere<T>): readonly T[] {
  return listed.known ? listed.items : [];
}

const WHOLE = { subset: null, port: null } as const;

function listsOfEntry({ metadata, spec }: ServiceEntry, services: readonly Service[]): readonly NameList[] {
  const names = [...new Set(spec?.subjectAltNames)];
  if (names.length === 0) return [];
  const { name, namespace = '' } = metadata;
  const source: NameSource = { kind: 'ServiceEntry', namespace, name, ...WHOLE };
  return [...new Set(spec?.hosts)].flatMap((host) => {
    const own = services.filter((service) => service.namespace === namespace && service.hostname === host);
    const found: readonly (Service | undefined)[] = own.length === 0 ? [undefined] : own;
    return found.map((service) => ({ source, mode: null, host, service, labels: undefined, names }));
  });
}

/** What ztunnel was told that no ServiceEntry says. */
function leftOver(service: Service, entries: readonly ServiceEntry[]): readonly NameList[] {
  if (service.subjectAltNames.length === 0) return [];
  const { name, namespace, hostname } = service;
  const known = new Set(
    entries
      .filter(({ metadata, spec }) => metadata.namespace === namespace && spec?.hosts?.includes(hostname))
      .flatMap(({ spec }) => spec?.subjectAltNames ?? []),
  );
  const names = [...new Set(service.subjectAltNames)].filter((each) => !known.has(each));
  const source: NameSource = { kind: 'Service', namespace, name, ...WHOLE };
  return names.length === 0
    ? []
    : [{ source, mode: null, host: hostname || name, service, labels: undefined, names }];
}

function listsOfSettings(
  { metadata, spec }: DestinationRule,
  { subset, labels, port, otherwise, mode, names }: TlsSettings,
  services: readonly Service[],
): readonly NameList[] {
  if (names.length === 0 && mode !== 'DISABLE') return [];
  const { name, namespace = '' } = metadata;
  const host = spec?.host ?? '';
  const source: NameSource = { kind: 'DestinationRule', namespace, name, subset, port };
  if (services.length === 0) return [{ source, mode, host, service: undefined, labels, names }];
  const applies = ({ ports }: Service) => {
    if (ports.length === 0) return true;
    if (port === null) return !ports.every((each) => otherwise.has(each.port));
    // A port that one service of many has not is no mistake.
    return !isWildcard(host) || ports.some((each) => each.port === port);
  };
  return services
    .filter(applies)
    .map((service) => ({ source, mode, host: service.hostname || service.name, service, labels, names }));
}
