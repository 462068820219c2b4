// Which output formats there are, and what of a report each can print. A new one is a line here and its printer in index.ts.

import type { Printer, Views } from './printer.ts';

type Printable = Pick<Printer, 'view' | 'instead'> & {
  /** It also prints reports that go on, event by event. */
  readonly events?: true;
};

/** What is a document, though not one of ours. */
const WHOLE = ['dumps', 'objects'] as const;

/** By the name that `-o` takes. Apart from the printers, which a command line is read and completed without. */
export const formats = {
  table: { view: 'table', events: true },
  wide: { view: 'table', events: true },
  short: { view: 'short' },
  name: { view: 'name' },
  pem: { view: 'pem' },
  json: { view: 'document', instead: WHOLE, events: true },
  yaml: { view: 'document', instead: WHOLE },
  html: { view: 'page' },
  prometheus: { view: 'metrics' },
  junit: { view: 'tests' },
} satisfies Record<string, Printable>;

export type Format = keyof typeof formats;

/** Those in which a command that goes on prints. */
export type EventFormat = {
  [F in Format]: (typeof formats)[F] extends { readonly events: true } ? F : never;
}[Format];

/** The formats in which reports with these views can be printed, in the table's order. */
export function formatsOf(views: readonly (keyof Views)[]): readonly Format[] {
  return (Object.keys(formats) as Format[]).filter((format) => {
    const { view, instead = [], events }: Printable = formats[format];
    return [view, ...instead].some((each) => views.includes(each)) || (views.includes('events') && events);
  });
}
