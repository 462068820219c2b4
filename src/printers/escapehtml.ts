// How text from outside is written in HTML, so that it is nothing but text.

import { printable } from './terminal.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from outside as text, also within a quoted attribute; what would act on a reader is spelled out. */
export function escapeHtml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
