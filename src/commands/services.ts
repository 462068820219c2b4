// `services`: services as ztunnel sees them, with the health of what is behind them.

import { serviceDocument } from '../model/meshdocument.ts';
import { joinServices } from '../model/services.ts';
import type { Report } from '../printers/printer.ts';
import { narrowScope } from './ask/narrow.ts';
import { settleReference } from './ask/reference.ts';
import { collectWhole } from './ask/whole.ts';
import { type CommandContext, defineCommand } from './command.ts';
import type { CommonOptions } from './common.ts';
import { defineFlags, type OptionsOf } from './flags.ts';
import { checkNamespaces, namespaceFilter } from './namespaces.ts';
import { deep } from './narrowing.ts';
import { sortItems } from './rows/columns.ts';
import { heldReport } from './rows/heldreport.ts';
import { serviceColumns } from './rows/services.ts';
import { shortServices } from './rows/serviceshort.ts';
import { TARGET } from './target.ts';

const flags = defineFlags({
  deep,
  'service-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only services of this namespace',
    group: 'command',
  },
});
type Options = OptionsOf<typeof flags> & CommonOptions;

export const services = defineCommand({
  name: 'services',
  aliases: ['service', 'svc', 's'],
  summary: 'Services as ztunnel sees them, with waypoint and endpoints',
  examples: [
    { args: 'services', does: 'every service of the mesh' },
    { args: 'services -n shop -o wide', does: 'one namespace, with ports and subjectAltNames' },
    { args: 'services node/node-a', does: 'as the ztunnel of one node knows them' },
    { args: 'services --deep', does: 'what ztunnels disagree about' },
    { args: 'services -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'name', 'json', 'yaml'],
  check: (options) => checkNamespaces(options.namespace, 'service-namespace', options.serviceNamespace),
  run,
});

async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
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
