// How `ztunnels` asks, relates and reports.

import { joinCertificates } from '../../model/certificates.ts';
import type { Section } from '../../model/dump.ts';
import type { ZtunnelItem } from '../../model/items.ts';
import { summarizeZtunnels } from '../../model/meshsummary.ts';
import { ztunnelItemDocument } from '../../model/ztunneldocument.ts';
import { listZtunnels } from '../../model/ztunnelitems.ts';
import type { Report } from '../../printers/printer.ts';
import { type Collected, collectDumps } from '../ask/collect.ts';
import { noInventory } from '../ask/inventory.ts';
import { settleReference } from '../ask/reference.ts';
import type { CommandContext } from '../command.ts';
import { isDocument } from '../common.ts';
import { displayRef } from '../rows/certificates.ts';
import { renderTable, sortItems } from '../rows/columns.ts';
import { documentOf, summaryDocument } from '../rows/document.ts';
import { count } from '../rows/sentences.ts';
import { columns } from '../rows/ztunnels.ts';
import type { Options } from '../ztunnels.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  const wanted = { sections: sectionsFor(options, context), keepRaw: isDocument(options) };
  const collected = await collectDumps(wanted, options, context);
  const reference = await settleReference(options.now, context);
  // Who uses a certificate is not asked here: one that nobody uses counts like any other.
  const { items: certificates } = joinCertificates({
    ...collected,
    inventory: noInventory,
    reference: reference.time,
    source: 'live',
    warnWithin: options.warnWithin,
    evaluateMissing: false,
  });
  const all = listZtunnels({ ...collected, certificates, at: reference.time });
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
    warnings: [],
    summary: summarySentence(collected),
    empty: 'no ztunnel answered',
  };
}

/** Live, the image's tag says the version, so that reading can stop after the config. */
function sectionsFor({ output, deep }: Options, { cluster }: CommandContext): ReadonlySet<Section> {
  const sections: readonly Section[] = output === 'name' ? ['config'] : ['certificates', 'config'];
  return new Set(deep || cluster.source === 'files' ? [...sections, 'version'] : sections);
}

/** `pod/x.ns`, as TARGET takes it; a dump file's own name. */
function displayName({ ztunnel }: ZtunnelItem): string {
  const { namespace, name } = ztunnel;
  return namespace === null ? displayRef(ztunnel) : `pod/${name}.${namespace}`;
}

function summarySentence({ answers, asked }: Collected): string {
  return `${count(asked, 'ztunnel')}, of which ${answers.length === asked ? 'all' : answers.length} answered.`;
}
