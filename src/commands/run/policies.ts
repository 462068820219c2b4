// How `policies` asks, relates and reports.

import type { PolicyItem } from '../../model/items.ts';
import { policyDocument } from '../../model/meshdocument.ts';
import { joinPolicies } from '../../model/policies.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import type { Options } from '../policies.ts';
import { policyColumns } from '../rows/policies.ts';
import { shortPolicies } from '../rows/policyshort.ts';
import { type HeldKind, reportHeld } from './held.ts';

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
  yield await reportHeld(policies, options.policyNamespace, options, context);
}
