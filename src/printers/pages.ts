// The shape of a page for people, with certificates' lives to be drawn.

import type { Cell, Table, Tone } from './printer.ts';

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
  /** What is said of it when it is pointed at; '' for nothing. */
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
