// The shapes that printers take besides tables: documents, Kubernetes objects, metrics, tests, and pages.

import type { Json, JsonObject } from '../base/json.ts';
import type { Cell, Table, Tone } from './printer.ts';

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

/** A table of which rows and columns are the same things. */
export interface Matrix {
  readonly title: string;
  /** What stands where heads of rows and of columns meet. */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly head: string; readonly cells: readonly MatrixCell[] }[];
}

export interface MatrixCell extends Cell {
  /** What is shown when it is pointed at; '' for nothing. */
  readonly title: string;
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
  readonly matrix?: Matrix;
  readonly groups: readonly LifeGroup[];
}
