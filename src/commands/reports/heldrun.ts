// How `services` and `policies` ask and report: of whole dumps, what ztunnels agree or differ about.

import { settleReference } from '../../mesh/reference.ts';
import { narrowScope } from '../../mesh/target/narrow.ts';
import { collectWhole } from '../../mesh/whole.ts';
import type { Section } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import type { Report, ShortTable } from '../../printers/printer.ts';
import type { CommandContext } from '../command.ts';
import type { CommonOptions } from '../flags/common.ts';
import { namespaceFilter } from '../flags/namespaces.ts';
import { type ColumnSpec, sortItems } from './columns.ts';
import type { HeldItem } from './held.ts';
import { type HeldFindings, heldReport } from './heldreport.ts';

/** What such a command is about. */
export interface HeldKind<Item extends HeldItem>
  extends Pick<HeldFindings<Item>, 'nouns' | 'kind' | 'type' | 'nameOf' | 'document'> {
  readonly sections: readonly Section[];
  readonly join: (answers: readonly Answer[]) => readonly Item[];
  /** For so many dumps. */
  readonly columns: (dumps: number) => readonly ColumnSpec<Item>[];
  readonly short: (
    answers: readonly Answer[],
    isWanted: (held: { readonly namespace: string }) => boolean,
  ) => ShortTable;
}

/** `ownNamespace` is what the command's own flag names besides --namespace. */
export async function reportHeld<Item extends HeldItem>(
  { sections, join, columns: columnsFor, short, ...kind }: HeldKind<Item>,
  ownNamespace: string | undefined,
  given: CommonOptions & { readonly deep?: boolean },
  outer: CommandContext,
): Promise<Report> {
  const { options, context } = await narrowScope(given, outer);
  const whole = await collectWhole(new Set(sections), options, context);
  const isWanted = namespaceFilter(ownNamespace, options.namespace);
  const all = join(whole.answers);
  const kept = all.filter((item) => isWanted(kind.nameOf(item).namespace));
  const columns = columnsFor(whole.answers.length);
  return heldReport({
    ...kind,
    items: sortItems(columns, kept, options.sortBy),
    whole,
    reference: await settleReference(options.now, context),
    filtered: kept.length < all.length,
    columns,
    short: () => short(whole.answers, ({ namespace }) => isWanted(namespace)),
  });
}
