// istioctl's certificate table: one line per certificate of each chain, then its roots.

import type { CertificateEntry, DumpCertificate } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import type { ShortTable } from '../../printers/printer.ts';
import { displayRef } from '../reports/certificatecolumns.ts';

const header = [
  'CERTIFICATE NAME',
  'TYPE',
  'STATUS',
  'VALID CERT',
  'SERIAL NUMBER',
  'NOT AFTER',
  'NOT BEFORE',
] as const;

/** What the ztunnels of a cluster answered, and the time that it is judged at. */
export interface ShortPart {
  /** undefined where only one cluster is asked. */
  readonly cluster: string | undefined;
  readonly answers: readonly Answer[];
  readonly at: Date;
}

/** Byte for byte what istioctl prints for one ztunnel; for several, the same rows and a last column ZTUNNEL. */
export function shortCertificates(
  answers: readonly Answer[],
  kept: ReadonlySet<CertificateEntry>,
  at: Date,
): ShortTable {
  const several = { clusters: false, ztunnels: answers.length > 1 };
  return shortCertificatesOf([{ cluster: undefined, answers, at }], kept, several);
}

/** The same of several clusters, with a first column CLUSTER. */
export function shortCertificatesOf(
  parts: readonly ShortPart[],
  kept: ReadonlySet<CertificateEntry>,
  several: { readonly clusters: boolean; readonly ztunnels: boolean },
): ShortTable {
  const around = (first: string, columns: readonly string[], last: string) => [
    ...(several.clusters ? [first] : []),
    ...columns,
    ...(several.ztunnels ? [last] : []),
  ];
  const rows = parts.flatMap(({ cluster = '-', answers, at }) =>
    answers.flatMap(({ ztunnel, dump }) =>
      dump.certificates
        .filter((entry) => kept.has(entry))
        .flatMap((entry) => entryRows(entry, at))
        .map((row) => around(cluster, row, displayRef(ztunnel))),
    ),
  );
  return { header: around('CLUSTER', header, 'ZTUNNEL'), rows, padding: 5 };
}

function entryRows(entry: CertificateEntry, at: Date): readonly (readonly string[])[] {
  const state = entry.state.includes('Unavailable') ? 'Unavailable' : entry.state;
  if (entry.chain.length === 0) return [[entry.identity, 'NA', state, 'false', 'NA', 'NA', 'NA']];
  return typedCertificates(entry).map(([type, certificate]) => [
    entry.identity,
    type,
    state,
    String(isValid(certificate, at)),
    serialInHex(certificate.serialNumber),
    certificate.expirationTime,
    certificate.validFrom,
  ]);
}

/** istioctl takes the last of a chain for the root when no roots are listed, whatever it is. */
function typedCertificates(entry: CertificateEntry): readonly (readonly [string, DumpCertificate])[] {
  const listed = entry.roots ?? [];
  const rootInChain = listed.length === 0 && entry.chain.length > 1;
  const chain = rootInChain ? entry.chain.slice(0, -1) : entry.chain;
  const roots = rootInChain ? entry.chain.slice(-1) : listed;
  return [
    ...chain.map((certificate, index) => [index === 0 ? 'Leaf' : 'Intermediate', certificate] as const),
    ...roots.map((certificate) => ['Root', certificate] as const),
  ];
}

function isValid(certificate: DumpCertificate, at: Date): boolean {
  const time = at.getTime();
  return (
    new Date(certificate.validFrom).getTime() < time && time < new Date(certificate.expirationTime).getTime()
  );
}

/** Lower-case and not padded, as istioctl has it. */
function serialInHex(decimal: string): string {
  return /^\d{1,60}$/.test(decimal) ? BigInt(decimal).toString(16) : '-';
}
