// Where the reading of one config dump stands: what has been taken in of each section, and what could not be read.

import type { Json } from '../../base/json.ts';
import type { Section, ZtunnelConfig } from '../../model/dump.ts';
import { parseJson } from '../json/text.ts';
import type { DumpVersion } from './config.ts';
import type { Shape, Source } from './eras.ts';
import type { Mention } from './mention.ts';
import { createProblems } from './problems.ts';
import type { SectionCollector } from './section.ts';
import { createSections } from './sections.ts';

export interface DumpReaderOptions {
  readonly sections: ReadonlySet<Section>;
  /** Whether members keep what ztunnel sent, as their `raw`. */
  readonly keepRaw: boolean;
  /** Read on when everything wanted is known, so that a dump that breaks off later is noticed. */
  readonly toTheEnd?: boolean;
  /** Believe what a redacted dump says of its certificates. */
  readonly judged?: boolean;
  /**
   * Only workloads of the dump's own node are wanted: most of the others are left out, all of them are not (where the
   * node is not known in time, none).
   */
  readonly ownWorkloads?: boolean | undefined;
}

/** Changed by every key and member that the scanner finds, therefore mutable: one for each dump. */
export interface Reading {
  readonly options: DumpReaderOptions;
  readonly collectors: ReturnType<typeof createSections>;
  readonly problems: ReturnType<typeof createProblems>;
  readonly wholes: Map<Section, ZtunnelConfig | DumpVersion>;
  /** Nothing better will follow of these. */
  readonly settled: Set<Section>;
  /** A key was found that only config dumps have. */
  recognised: boolean;
  isApiObject: boolean;
  members: number;
  /** The current top-level key. */
  name: string;
  /** Of the current key; undefined when it is skipped. */
  source: Source | undefined;
  /** Of its value; undefined until it is known to be a right one. */
  shape: Shape | undefined;
  /** The own node, once it is known and if others are left out. */
  mentionsNode: Mention | undefined;
}

export function createReading(options: DumpReaderOptions): Reading {
  return {
    options,
    collectors: createSections(options.keepRaw, options.judged),
    problems: createProblems(),
    wholes: new Map(),
    settled: new Set(),
    recognised: false,
    isApiObject: false,
    members: 0,
    name: '',
    source: undefined,
    shape: undefined,
    mentionsNode: undefined,
  };
}

/** What takes in the members of a section; undefined for those that are one value. */
export function collectorOf(
  { collectors }: Reading,
  section: Section,
): SectionCollector<unknown> | undefined {
  return section === 'config' || section === 'version' ? undefined : collectors[section];
}

/** Something of the section was found, whatever it was worth. */
export function isFound(reading: Reading, section: Section): boolean {
  return reading.wholes.has(section) || collectorOf(reading, section)?.found() === true;
}

/** Takes in a text of the current section as JSON; what is not, or has a wrong type, becomes a problem. */
export function attempt(
  { source, options, problems }: Reading,
  path: () => string,
  text: string,
  offset: number,
  take: (value: Json) => void,
): void {
  if (source === undefined) return;
  try {
    take(parseJson(text, options.keepRaw));
  } catch (error) {
    problems.add(source.section, path, offset, error);
  }
}
