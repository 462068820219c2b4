// The shape of what a command has found out, as far as printing needs to know it.

import type { JsonObject } from '../base/json.ts';
import type { ClusterFailure, Failure, Severity } from '../model/types.ts';
import type { Document, DumpDocument, Metric, ObjectDocument, Page, TestSuite } from './shapes.ts';

/** How a cell is meant; a terminal may colour it, the word itself always says the same. */
export type Tone = 'critical' | 'warning' | 'ok' | 'information' | 'dim' | 'plain';

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  /** The same in fewer characters, shown where the table is wider than the screen: better than a text cut in two. */
  readonly short?: string;
}

export interface Column {
  readonly header: string;
  /** Only with `-o wide`. */
  readonly wide?: boolean;
  /**
   * What a terminal may do when space is short. `node`: drop the DNS suffix that all cells share and shorten in
   * the middle. `middle`: shorten in the middle if the table is wider than the screen (not with `-o wide`).
   * `detail`: print below the row, wrapped and indented (must be the last column). `wrap`: print beside the row on as many
   * lines as it takes (must be the last column, too); below it where there is no room.
   */
  readonly fit?: 'node' | 'middle' | 'detail' | 'wrap';
}

/** Rows that may be made each time they are gone through: a table of 100,000 is never held as cells. */
export interface Rows {
  readonly length: number;
  [Symbol.iterator](): Iterator<readonly Cell[]>;
}

/** A table for people. A `detail` or `wrap` column that no row fills is left out. */
export interface Table {
  /** Lines above the table, which may be empty ones; for an output of several tables. */
  readonly heading?: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: Rows;
}

/** istioctl's table: Go's tabwriter, left-aligned, `padding` spaces between columns, last cell not padded. */
export interface ShortTable {
  readonly heading?: readonly string[];
  /** Empty for lines without one. */
  readonly header: readonly string[];
  readonly rows: Iterable<readonly string[]>;
  readonly padding: number;
}

/** Something that happened since the report before: a line for people, and an object for programs. */
export interface Event {
  readonly text: string;
  readonly tone?: Tone;
  readonly document: JsonObject;
}

/** Each view is made only when a format asks for it. */
export interface Views {
  table(options: { readonly wide: boolean }): Table | readonly Table[];
  short(): ShortTable | readonly ShortTable[];
  /** Lines. */
  name(): Iterable<string>;
  /** Lines. */
  pem(): Iterable<string>;
  document(): Document;
  metrics(): Iterable<Metric>;
  tests(): TestSuite;
  page(): Page;
  /** Of a command that goes on: instead of the whole, what is new of it. */
  events(): Iterable<Event>;
  /** Instead of `document`: whole config dumps. `parsed`: as values, not as bytes. */
  dumps(options: { readonly parsed: boolean }): DumpDocument;
  /** Instead of `document`: Kubernetes objects as they are. */
  objects(): AsyncIterable<ObjectDocument>;
}

/** What a command has found out. It has printed nothing. */
export interface Report {
  readonly views: Partial<Views>;
  /** Rows after filters. */
  readonly rowCount: number;
  readonly failures: readonly (Failure | ClusterFailure)[];
  /** Sentences for stderr, in order, without the word `warning:`. */
  readonly warnings: readonly string[];
  /** One line for stderr after a table; undefined for none. */
  readonly summary: string | undefined;
  /** Appended to the summary when the rows outnumber the screen. */
  readonly longHint?: string | undefined;
  /** The sentence for stderr when rowCount is 0; undefined where the failures say enough. */
  readonly empty: string | undefined;
  /** A ClusterRole that grants what was refused; printed once, whoever was refused. */
  readonly clusterRole?: string | undefined;
  /** True when the result makes the command fail by its own flags (`--fail-on`). */
  readonly failed?: boolean;
  /** The gravest of what was found, for commands whose exit code tells it. */
  readonly worst?: Severity | undefined;
  /** True when what was found is less than what was asked for, failures of ztunnels apart. */
  readonly partial?: boolean;
}

/** Where text goes: undefined sizes mean that it is not a terminal, and nothing is shortened or wrapped. */
export interface Screen {
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly color: boolean;
  readonly headers: boolean;
}

/**
 * One output format: which view it needs, and how it becomes text, in chunks that end with a line break.
 * Asynchronous, since what is printed may still be read meanwhile, and an interrupt must get its turn.
 */
export interface Printer {
  readonly view: keyof Views;
  /** Views that do as well. */
  readonly instead?: readonly (keyof Views)[];
  readonly render: (report: Report, screen: Screen) => AsyncIterable<string>;
}
