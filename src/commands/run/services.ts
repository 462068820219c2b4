// How `services` asks, relates and reports.

import type { ServiceItem } from '../../model/items.ts';
import { serviceDocument } from '../../model/meshdocument.ts';
import { joinServices } from '../../model/services.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import { serviceColumns } from '../rows/services.ts';
import { shortServices } from '../rows/serviceshort.ts';
import type { Options } from '../services.ts';
import { type HeldKind, reportHeld } from './held.ts';

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
  yield await reportHeld(services, options.serviceNamespace, options, context);
}
