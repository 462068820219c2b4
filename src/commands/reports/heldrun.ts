// How `services` and `policies` ask and report: of whole dumps, what ztunnels agree or differ about.

import { collectDumps, shownOf } from '../../mesh/collect.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { findServingScope } from '../../mesh/scope/scope.ts';
import { wantedOfAll } from '../../mesh/wanted.ts';
import type { Section } from '../../model/dump.ts';
import type { Answer } from '../../model/types.ts';
import type { Report, ShortTable } from '../../printers/printer.ts';
import { type CommonOptions, isDocument } from '../spec/common.ts';
import { namespaceFilter } from '../spec/namespaces.ts';
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
  options: CommonOptions & { readonly deep?: boolean },
  mesh: Mesh,
): Promise<Report> {
  const { deep } = options;
  const keepRaw = isDocument(options);
  const wanted = wantedOfAll({ sections: new Set(sections), deep, keepRaw }, mesh.cluster);
  const scope = await findServingScope(options, wanted, mesh);
  const collected = await collectDumps(scope, wanted, options, mesh);
  const answers = shownOf(collected);
  const isWanted = namespaceFilter(ownNamespace, scope.namespace);
  const all = join(answers);
  const kept = all.filter((item) => isWanted(kind.nameOf(item).namespace));
  const columns = columnsFor(answers.length);
  return heldReport({
    ...kind,
    items: sortItems(columns, kept, options.sortBy),
    collected,
    answers,
    reference: await mesh.reference(),
    filtered: kept.length < all.length,
    columns,
    short: () => short(answers, ({ namespace }) => isWanted(namespace)),
  });
}
