// How `policies` asks, relates and reports.

import { policyDocument } from '../../model/documents/meshdocument.ts';
import type { PolicyItem } from '../../model/items.ts';
import { joinPolicies } from '../../model/workloads/policies.ts';
import type { Report } from '../../printers/printer.ts';
import { type HeldKind, reportHeld } from '../reports/held.ts';
import type { CommandContext } from '../spec/command.ts';
import type { Options } from './command.ts';
import { policyColumns, shortPolicies } from './report.ts';

const policies: HeldKind<PolicyItem> = {
  sections: ['policies', 'config'],
  nouns: ['policy', 'policies'],
  kind: 'PolicyList',
  type: 'authorizationpolicy',
  nameOf: ({ policy }) => policy,
  join: joinPolicies,
  columns: policyColumns,
  document: policyDocument,
  short: shortPolicies,
};

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  yield await reportHeld(policies, options.policyNamespace, options, await context.mesh());
}
