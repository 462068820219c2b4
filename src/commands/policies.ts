// `policies`: authorization policies as ztunnel sees them.

import { policyDocument } from '../model/meshdocument.ts';
import { joinPolicies } from '../model/policies.ts';
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
import { policyColumns } from './rows/policies.ts';
import { shortPolicies } from './rows/policyshort.ts';
import { TARGET } from './target.ts';

const flags = defineFlags({
  deep,
  'policy-namespace': {
    kind: 'string',
    value: 'NAMESPACE',
    summary: 'Only policies of this namespace',
    group: 'command',
  },
});
type Options = OptionsOf<typeof flags> & CommonOptions;

export const policies = defineCommand({
  name: 'policies',
  aliases: ['policy', 'pol', 'p'],
  summary: 'Authorization policies as ztunnel sees them',
  examples: [
    { args: 'policies', does: 'every policy that ztunnel enforces' },
    { args: 'policies -n shop -o wide', does: 'one namespace, with the rules' },
    { args: 'policies node/node-a', does: 'as the ztunnel of one node knows them' },
    { args: 'policies --deep', does: 'what ztunnels disagree about' },
    { args: 'policies -f dump.json -o short', does: "a saved dump in istioctl's format" },
  ],
  arguments: TARGET,
  flags,
  formats: ['table', 'wide', 'short', 'name', 'json', 'yaml'],
  check: (options) => checkNamespaces(options.namespace, 'policy-namespace', options.policyNamespace),
  run,
});

async function* run(given: Options, outer: CommandContext): AsyncGenerator<Report> {
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
