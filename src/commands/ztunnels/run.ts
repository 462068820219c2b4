// How `ztunnels` asks, relates and reports.

import { type Collected, collectDumps } from '../../mesh/collect.ts';
import { listInventory, noInventory } from '../../mesh/lists.ts';
import { findScope } from '../../mesh/scope/scope.ts';
import { createPodCounts } from '../../model/capture/picture.ts';
import { joinCertificates } from '../../model/certificates/certificates.ts';
import { ztunnelItemDocument } from '../../model/documents/document.ts';
import { summarizeZtunnels } from '../../model/documents/meshdocument.ts';
import type { Section } from '../../model/dump.ts';
import type { ZtunnelItem } from '../../model/items.ts';
import { listZtunnels } from '../../model/ztunnels/ztunnelitems.ts';
import type { Report } from '../../printers/printer.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { displayRef } from '../reports/certificatecolumns.ts';
import { renderTable, sortItems } from '../reports/columns.ts';
import { documentOf, summaryDocument } from '../reports/document.ts';
import { count } from '../reports/sentences.ts';
import type { CommandContext } from '../spec/command.ts';
import { isDocument } from '../spec/common.ts';
import { columns } from './columns.ts';
import type { Options } from './command.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const mesh = await context.mesh();
  const wanted = { sections: sectionsFor(options, mesh.cluster), keepRaw: isDocument(options) };
  const scope = await findScope(options, mesh);
  const countsPods = options.output !== 'name' && !options.noOwners;
  const [collected, inventory] = await Promise.all([
    collectDumps(scope, wanted, options, mesh),
    countsPods ? listInventory(mesh, undefined, ['pods']) : noInventory,
  ]);
  const reference = await mesh.reference();
  // Who uses a certificate is not asked here: one that nobody uses counts like any other.
  const { items: certificates } = joinCertificates({
    ...collected,
    inventory: noInventory,
    reference: reference.time,
    source: 'live',
    warnWithin: options.warnWithin,
    evaluateMissing: false,
  });
  const all = listZtunnels({
    ...collected,
    certificates,
    countPods: createPodCounts(inventory.pods),
    at: reference.time,
  });
  const items = sortItems(columns, all, options.sortBy);
  const { failures, asked } = collected;
  yield {
    views: {
      table: ({ wide }) => renderTable(columns, items, wide),
      name: () => items.map(displayName),
      document: () =>
        documentOf({
          kind: 'ZtunnelList',
          reference,
          items: items.values().map(ztunnelItemDocument),
          summary: summaryDocument(summarizeZtunnels(items, asked)),
          failures,
        }),
    },
    rowCount: items.length,
    failures,
    warnings: inventory.causes.map((cause) => `${cause}; captured pods are not counted`),
    clusterRole: inventory.clusterRole,
    summary: summarySentence(collected),
    empty: 'no ztunnel answered',
    partial: inventory.partial,
  };
}

/** Live, the image's tag says the version, so that reading can stop after the config. */
function sectionsFor({ output, deep }: Options, { source }: Cluster): ReadonlySet<Section> {
  const sections: readonly Section[] =
    output === 'name' ? ['config'] : ['certificates', 'config', 'workloadState'];
  return new Set(deep || source === 'files' ? [...sections, 'version'] : sections);
}

/** `pod/x.ns`, as TARGET takes it; a dump file's own name. */
function displayName({ ztunnel }: ZtunnelItem): string {
  const { namespace, name } = ztunnel;
  return namespace === null ? displayRef(ztunnel) : `pod/${name}.${namespace}`;
}

function summarySentence({ answers, asked }: Collected): string {
  return `${count(asked, 'ztunnel')}, of which ${answers.length === asked ? 'all' : answers.length} answered.`;
}
