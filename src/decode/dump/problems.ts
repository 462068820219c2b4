// What could not be read of a dump's sections: sentences with paths, of which a bounded number is kept.

import type { Section, SectionProblem } from '../../model/dump.ts';
import { ShapeError } from './fields.ts';

/** How many problems of one key are told one by one; the rest is counted. */
export const MAX_PROBLEMS = 20;

/**
 * After how many bad members of one key the rest of them is not tried: a thrown error costs 20 µs, so that a small
 * hostile file of a million bad members would take half a minute.
 */
export const MAX_BAD_MEMBERS = 1000;

interface Noted {
  readonly section: Section;
  readonly messages: string[];
  more: number;
}

export interface Problems {
  /**
   * A member failed to decode (ShapeError) or to parse (SyntaxError); any other error is a bug and thrown on.
   * `offset` is the byte where the member begins.
   */
  add(section: Section, path: () => string, offset: number, error: unknown): void;
  /** Something is wrong with what stands under a top-level key. */
  note(section: Section, key: string, message: string): void;
  /** The key came again, and the last one counts. */
  forget(key: string): void;
  has(section: Section): boolean;
  /** True when a key has had so many that its remaining members are not to be tried. */
  tooMany(key: string): boolean;
  list(sections: ReadonlySet<Section>): readonly SectionProblem[];
}

/** The place of a member, as `certificates[3]` or `workloads["net/10.0.0.1"]`. */
export function memberPath(name: string, key: string | number): string {
  if (typeof key === 'number') return `${name}[${key}]`;
  const shown = key.length > 80 ? `${key.slice(0, 80)}…` : key;
  return `${name}[${JSON.stringify(shown)}]`;
}

export function createProblems(): Problems {
  const byKey = new Map<string, Noted>();

  function note(section: Section, key: string, message: string): void {
    const noted = byKey.get(key) ?? { section, messages: [], more: 0 };
    byKey.set(key, noted);
    if (noted.messages.length < MAX_PROBLEMS) noted.messages.push(message);
    else noted.more += 1;
  }

  return {
    note,
    add(section, path, offset, error) {
      const place = path();
      const key = place.split('[', 1)[0]!;
      if (error instanceof ShapeError) {
        const joint = error.path === '' || error.path.startsWith('[') ? '' : '.';
        note(section, key, `${place}${joint}${error.path} ${error.complaint} (byte ${offset})`);
      } else if (error instanceof SyntaxError) {
        note(section, key, `${place} is not valid JSON (byte ${offset})`);
      } else {
        throw error;
      }
    },
    forget: (key) => void byKey.delete(key),
    has: (section) => [...byKey.values()].some((noted) => noted.section === section),
    tooMany: (key) => (byKey.get(key)?.more ?? 0) >= MAX_BAD_MEMBERS - MAX_PROBLEMS,
    list: (sections) =>
      [...byKey].flatMap(([key, { section, messages, more }]) => {
        if (!sections.has(section)) return [];
        const untried =
          more >= MAX_BAD_MEMBERS - MAX_PROBLEMS ? ', and those behind them were not tried' : '';
        const rest = more === 0 ? [] : [`${more} more entries of ${key} could not be read${untried}`];
        return [...messages, ...rest].map((message) => ({ section, message }));
      }),
  };
}
