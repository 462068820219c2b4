// How `services` asks, relates and reports.

import { serviceDocument } from '../../model/meshdocument.ts';
import { joinServices } from '../../model/services.ts';
import type { Report } from '../../printers/printer.ts';
import { narrowScope } from '../ask/narrow.ts';
import { settleReference } from '../ask/reference.ts';
import { collectWhole } from '../ask/whole.ts';
import type { CommandContext } from '../command.ts';
import { namespaceFilter } from '../namespaces.ts';
import { sortItems } from '../rows/columns.ts';
import { heldReport } from '../rows/heldreport.ts';
import { serviceColumns } from '../rows/services.ts';
import { shortServices } from '../rows/serviceshort.ts';
import type { Options } from '../services.ts';

export async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context } = await narrowScope(given, outer);
  const whole = await collectWhole(new Set(['services', 'workloads', 'config']), options, context);
  const isWanted = namespaceFilter(options.serviceNamespace, options.namespace);
  const all = joinServices(whole.answers);
  const kept = all.filter(({ service }) => isWanted(service.namespace));
  const columns = serviceColumns(whole.answers.length);
  yield heldReport({
    items: sortItems(columns, kept, options.sortBy),
    whole,
    reference: await settleReference(options.now, context),
    filtered: kept.length < all.length,
    nouns: ['service', 'services'],
    kind: 'ServiceList',
    type: 'service',
    nameOf: ({ service }) => service,
    columns,
    document: serviceDocument,
    short: () => shortServices(whole.answers, ({ namespace }) => isWanted(namespace)),
  });
}
