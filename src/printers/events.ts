// How what has happened is printed: a line for each event, for people or as JSON.

import { paintOf } from './color.ts';
import type { EventFormat } from './formats.ts';
import type { Event, Report, Screen } from './printer.ts';
import { escapeActing, printable } from './terminal.ts';

/** The formats in which events come; what a command that goes on can print. */
export const eventPrinters = {
  table: renderEvents,
  wide: renderEvents,
  json: renderJsonEvents,
} satisfies Record<EventFormat, (report: Report, screen: Screen) => AsyncIterable<string>>;

/** A line each, in the colour of what it means. */
async function* renderEvents({ views }: Report, screen: Screen): AsyncGenerator<string, void, undefined> {
  const paint = paintOf(screen.color);
  for (const { text, tone } of eventsOf(views)) yield `${paint(printable(text), tone)}\n`;
}

/** A JSON object on each line. */
async function* renderJsonEvents({ views }: Report): AsyncGenerator<string, void, undefined> {
  for (const { document } of eventsOf(views)) yield `${escapeActing(JSON.stringify(document))}\n`;
}

function eventsOf(views: Report['views']): Iterable<Event> {
  return views.events?.() ?? [];
}
