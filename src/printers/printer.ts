// The shape of what a command has found out, as far as printing needs to know it.

import type { ClusterFailure, Failure, Json, JsonObject, Severity } from '../model/types.ts';

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
   * `detail`: print below the row, wrapped and indented (must be the last column).
   */
  readonly fit?: 'node' | 'middle' | 'detail';
}

/** Rows that may be made each time they are gone through: a table of 100,000 is never held as cells. */
export interface Rows {
  readonly length: number;
  [Symbol.iterator](): Iterator<readonly Cell[]>;
}

/** A table for people. A `detail` column that no row fills is left out. */
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

/** The document of `-o json` and `-o yaml`. Items may be produced while they are written. */
export interface Document {
  readonly apiVersion: 'ztunnel.kubectl/v1';
  readonly kind: string;
  readonly reference: JsonObject;
  /** Where several clusters were asked. */
  readonly clusters?: readonly JsonObject[] | undefined;
  readonly items: Iterable<JsonObject>;
  readonly summary: JsonObject;
  readonly failures: readonly JsonObject[];
}

/** A whole config dump as it was sent: its bytes, or the value of its JSON (large numbers made by JSON.rawJSON). */
export interface DumpItem {
  readonly ztunnel: JsonObject;
  readonly chunks?: readonly Uint8Array[];
  readonly value?: Json;
}

/** Config dumps, read while they are written. */
export interface DumpDocument {
  /** True when the one dump is all of the output; else there is a list of them. */
  readonly bare: boolean;
  readonly apiVersion: 'ztunnel.kubectl/v1';
  readonly kind: string;
  readonly reference: JsonObject;
  readonly items: AsyncIterable<DumpItem>;
  /** What is known once the items have ended. */
  readonly end: () => { readonly summary: JsonObject; readonly failures: readonly JsonObject[] };
}

/** A Kubernetes object, or a list of them whose items are read while they are written. */
export interface ObjectDocument {
  /** In the order of JSON; without the items. */
  readonly head: JsonObject;
  /** undefined for what is no list. */
  readonly items?: Iterable<JsonObject>;
}

/** One metric of the Prometheus text format. */
export interface Metric {
  /** Letters, digits and underscores. */
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge';
  readonly samples: Iterable<Sample>;
}

/** Labels in the order they are shown in; those of two samples of a metric differ. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One test of JUnit's XML: passed unless it says otherwise. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  /** `failure`: what was looked for is wrong; `error`: it could not be looked at; `skipped`: it was not looked at. */
  readonly outcome?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly message: string;
    readonly lines: readonly string[];
  };
  /** What a passed test has to say. */
  readonly output?: readonly string[];
}

export interface TestSuite {
  readonly name: string;
  /** RFC 3339. */
  readonly time: string;
  readonly cases: readonly TestCase[];
}

/** A certificate's life, to be drawn. Times are in ms since 1970. */
export interface Life {
  readonly name: string;
  readonly node: string;
  readonly status: string;
  readonly tone: Tone;
  readonly from: number;
  /** Half of the leaf's lifetime. */
  readonly half: number;
  /** When the first of leaf and intermediates ends. */
  readonly to: number;
  /** The same in words. */
  readonly detail: string;
}

export interface LifeGroup {
  readonly title: string;
  readonly detail: string;
  /** At least one. */
  readonly lives: readonly Life[];
}

/** What a page for people shows. */
export interface Page {
  readonly title: string;
  readonly summary: string;
  /** The time of reference in words, and in ms since 1970. */
  readonly time: string;
  readonly at: number;
  readonly counts: readonly { readonly label: string; readonly number: number; readonly tone: Tone }[];
  readonly notes: readonly { readonly kind: 'error' | 'warning'; readonly text: string }[];
  readonly table: Table;
  readonly groups: readonly LifeGroup[];
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
 * Asynchronous because colours and character widths cost tens of milliseconds to load: only when needed.
 */
export interface Printer {
  readonly view: keyof Views;
  readonly render: (report: Report, screen: Screen) => AsyncIterable<string>;
}
