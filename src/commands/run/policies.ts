// How `policies` asks, relates and reports.

import { policyDocument } from '../../model/meshdocument.ts';
import { joinPolicies } from '../../model/policies.ts';
import type { Report } from '../../printers/printer.ts';
import { narrowScope } from '../ask/narrow.ts';
import { settleReference } from '../ask/reference.ts';
import { collectWhole } from '../ask/whole.ts';
import type { CommandContext } from '../command.ts';
import { namespaceFilter } from '../namespaces.ts';
import type { Options } from '../policies.ts';
import { sortItems } from '../rows/columns.ts';
import { heldReport } from '../rows/heldreport.ts';
import { policyColumns } from '../rows/policies.ts';
import { shortPolicies } from '../rows/policyshort.ts';

export async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
  const { options, context } = await narrowScope(given, outer);
  const whole = await collectWhole(new Set(['policies', 'config']), options, context);
  const isWanted = namespaceFilter(options.policyNamespace, options.namespace);
  const all = joinPolicies(whole.answers);
  const kept = all.filter(({ policy }) => isWanted(policy.namespace));
  const columns = policyColumns(whole.answers.length);
  yield heldReport({
    items: sortItems(columns, kept, options.sortBy),
    whole,
    reference: await settleReference(options.now, context),
    filtered: kept.length < all.length,
    nouns: ['policy', 'policies'],
    kind: 'PolicyList',
    type: 'authorizationpolicy',
    nameOf: ({ policy }) => policy,
    columns,
    document: policyDocument,
    short: () => shortPolicies(whole.answers, ({ namespace }) => isWanted(namespace)),
  });
}
