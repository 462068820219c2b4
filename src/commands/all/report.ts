// What `all` reports: a table for each section, or whole config dumps, written while they are read.

import type { Collected } from '../../mesh/collect.ts';
import type { ListedInventory } from '../../mesh/lists.ts';
import type { Keeps } from '../../mesh/scope/keeps.ts';
import { summarizeUnjudged } from '../../model/documents/meshdocument.ts';
import type {
  CertificateItem,
  ConnectionItem,
  PolicyItem,
  ServiceItem,
  WorkloadItem,
} from '../../model/items.ts';
import type { Failure, Reference } from '../../model/types.ts';
import type { Report, ShortTable, Table } from '../../printers/printer.ts';
import type { DumpItem } from '../../printers/shapes.ts';
import { shortCertificates } from '../certs/short.ts';
import { connectionColumns } from '../connections/report.ts';
import { shortConnections } from '../connections/short.ts';
import { policyColumns, shortPolicies } from '../policies/report.ts';
import { certificateColumns } from '../reports/certificatecolumns.ts';
import { renderTable } from '../reports/columns.ts';
import { failureDocument, referenceDocument, summaryDocument } from '../reports/document.ts';
import { withoutAgreement } from '../reports/held.ts';
import { count } from '../reports/sentences.ts';
import { serviceColumns, shortServices } from '../services/report.ts';
import { workloadColumns } from '../workloads/columns.ts';
import { shortWorkloads } from '../workloads/short.ts';

export interface AllFindings {
  /** After filters, in the order shown. */
  readonly workloads: readonly WorkloadItem[];
  readonly services: readonly ServiceItem[];
  readonly policies: readonly PolicyItem[];
  readonly certificates: readonly CertificateItem[];
  readonly connections: readonly ConnectionItem[];
  readonly isWanted: (namespace: string) => boolean;
  readonly keeps: Keeps;
  readonly collected: Collected;
  readonly inventory: ListedInventory;
  readonly warnings: readonly string[];
  readonly reference: Reference;
  readonly withHeaders: boolean;
}

/** istioctl's order, and its words between dashes. */
const HEADINGS = ['WORKLOAD', 'SERVICE', 'POLICY', 'SECRET', 'CONNECTIONS'] as const;

export function allReport(findings: AllFindings): Report {
  const { collected, inventory, warnings } = findings;
  const counts = [
    count(findings.workloads.length, 'workload'),
    count(findings.services.length, 'service'),
    count(findings.policies.length, 'policy', 'policies'),
    count(findings.certificates.length, 'certificate'),
    count(findings.connections.length, 'connection'),
  ];
  const answered = collected.answers.length;
  return {
    views: {
      table: ({ wide }) => tables(findings, wide),
      short: () => shortTables(findings),
    },
    rowCount:
      findings.workloads.length +
      findings.services.length +
      findings.policies.length +
      findings.certificates.length +
      findings.connections.length,
    failures: collected.failures,
    warnings: [...inventory.warnings, ...warnings],
    clusterRole: inventory.clusterRole,
    summary: `${counts.join(', ')} on ${answered} of ${count(collected.asked, 'ztunnel')}.`,
    empty: answered === 0 ? 'no ztunnel answered' : 'nothing matches the filters',
    partial: inventory.partial,
  };
}

/** Tables with rows, an empty line between them. */
function tables(findings: AllFindings, wide: boolean): readonly Table[] {
  const { workloads, services, policies, certificates, connections, withHeaders } = findings;
  const dumps = findings.collected.answers.length;
  const sections = [
    renderTable(workloadColumns(workloads, dumps), workloads, wide),
    renderTable(withoutAgreement(serviceColumns(dumps), services, dumps), services, wide),
    renderTable(withoutAgreement(policyColumns(dumps), policies, dumps), policies, wide),
    renderTable(certificateColumns(certificates), certificates, wide),
    renderTable(connectionColumns(false), connections, wide),
  ];
  return sections
    .map((table, index) => ({ table, heading: headingOf(HEADINGS[index]!, withHeaders) }))
    .filter(({ table }) => table.rows.length > 0)
    .map(({ table, heading }, index) => ({
      ...table,
      heading: index === 0 ? heading.slice(1) : heading,
    }));
}

/** All sections, as istioctl prints them: an empty line before each, and headers where there are no rows. */
function shortTables(findings: AllFindings): readonly ShortTable[] {
  const { isWanted, keeps, collected, reference, certificates, withHeaders } = findings;
  const { answers } = collected;
  const inNamespace = ({ namespace }: { readonly namespace?: string | undefined }) =>
    isWanted(namespace ?? '');
  const sections = [
    shortWorkloads(answers, (workload) => inNamespace(workload) && keeps.workload(workload)),
    shortServices(answers, inNamespace),
    shortPolicies(answers, inNamespace),
    shortCertificates(answers, new Set(certificates.flatMap(({ entry }) => entry ?? [])), reference.time),
    shortConnections(answers, {
      raw: false,
      direction: undefined,
      isWanted: (pod) => inNamespace(pod) && keeps.pod(pod),
    }),
  ];
  return sections.map((table, index) => ({ ...table, heading: headingOf(HEADINGS[index]!, withHeaders) }));
}

function headingOf(title: string, withHeaders: boolean): readonly string[] {
  return withHeaders ? ['', `------ ${title} INFO ------`, ''] : [''];
}

export interface DumpFindings {
  readonly reference: Reference;
  /** Ztunnels in scope; one alone is printed without a list around it. */
  readonly asked: number;
  /** Reads the dumps; `fail` is told of those that could not be had. */
  readonly read: (options: {
    readonly parsed: boolean;
    readonly fail: (failure: Failure) => void;
  }) => AsyncIterable<DumpItem>;
  /** Failures known before anything is read. */
  readonly failures: readonly Failure[];
  /** Looks closer at failures, once all are known. */
  readonly explain: (failures: readonly Failure[]) => Promise<readonly Failure[]>;
}

/** Its counts and failures are settled once the view has been printed, which is when they are printed too. */
export function dumpReport({ reference, asked, read, explain, ...found }: DumpFindings): Report {
  let failures = found.failures;
  let answered = 0;
  async function* items(parsed: boolean): AsyncGenerator<DumpItem, void, undefined> {
    const fail = (failure: Failure) => {
      failures = [...failures, failure];
    };
    for await (const item of read({ parsed, fail })) {
      answered += 1;
      yield item;
    }
    failures = await explain(failures);
  }
  return {
    views: {
      dumps: ({ parsed }) => ({
        bare: asked === 1,
        apiVersion: 'ztunnel.kubectl/v1',
        kind: 'ConfigDumpList',
        reference: referenceDocument(reference),
        items: items(parsed),
        end: () => ({
          summary: summaryDocument(summarizeUnjudged(answered, asked, answered)),
          failures: failures.map(failureDocument),
        }),
      }),
    },
    get rowCount() {
      return answered;
    },
    get failures() {
      return failures;
    },
    warnings: [],
    summary: undefined,
    empty: 'no ztunnel answered',
  };
}
