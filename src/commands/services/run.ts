// How `services` asks, relates and reports.

import { serviceDocument } from '../../model/documents/meshdocument.ts';
import type { ServiceItem } from '../../model/items.ts';
import { joinServices } from '../../model/workloads/services.ts';
import type { Report } from '../../printers/printer.ts';
import { type HeldKind, reportHeld } from '../reports/held.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { serviceColumns, shortServices } from './report.ts';

const services: HeldKind<ServiceItem> = {
  sections: ['services', 'workloads', 'config'],
  nouns: ['service', 'services'],
  kind: 'ServiceList',
  type: 'service',
  nameOf: ({ service }) => service,
  join: joinServices,
  columns: serviceColumns,
  document: serviceDocument,
  short: shortServices,
};

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  yield await reportHeld(services, options.serviceNamespace, options, await context.mesh());
}
