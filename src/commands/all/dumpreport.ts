// What `all -o json|yaml` reports: whole config dumps, read while they are written.

import { summarizeUnjudged } from '../../model/documents/meshsummary.ts';
import type { Failure, Reference } from '../../model/types.ts';
import type { DumpItem } from '../../printers/documents.ts';
import type { Report } from '../../printers/printer.ts';
import { failureDocument, referenceDocument, summaryDocument } from '../reports/document.ts';

export interface DumpFindings {
  readonly reference: Reference;
  /** Ztunnels in scope; one alone is printed without a list around it. */
  readonly asked: number;
  /** Reads the dumps; `fail` is told of those that could not be had. */
  readonly read: (options: {
    readonly parsed: boolean;
    readonly fail: (failure: Failure) => void;
  }) => AsyncIterable<DumpItem>;
  /** Failures known before anything is read. */
  readonly failures: readonly Failure[];
  /** Looks closer at failures, once all are known. */
  readonly explain: (failures: readonly Failure[]) => Promise<readonly Failure[]>;
}

/** Its counts and failures are settled once the view has been printed, which is when they are printed too. */
export function dumpReport({ reference, asked, read, explain, ...found }: DumpFindings): Report {
  let failures = found.failures;
  let answered = 0;
  async function* items(parsed: boolean): AsyncGenerator<DumpItem, void, undefined> {
    const fail = (failure: Failure) => {
      failures = [...failures, failure];
    };
    for await (const item of read({ parsed, fail })) {
      answered += 1;
      yield item;
    }
    failures = await explain(failures);
  }
  return {
    views: {
      dumps: ({ parsed }) => ({
        bare: asked === 1,
        apiVersion: 'ztunnel.kubectl/v1',
        kind: 'ConfigDumpList',
        reference: referenceDocument(reference),
        items: items(parsed),
        end: () => ({
          summary: summaryDocument(summarizeUnjudged(answered, asked, answered)),
          failures: failures.map(failureDocument),
        }),
      }),
    },
    get rowCount() {
      return answered;
    },
    get failures() {
      return failures;
    },
    warnings: [],
    summary: undefined,
    empty: 'no ztunnel answered',
  };
}
