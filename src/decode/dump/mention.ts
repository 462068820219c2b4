// Whether a stretch of JSON bytes can hold a certain text, told without reading it as JSON.

/** Asked with stretches of one chunk after the other, from front to back; a chunk's bytes must not change meanwhile. */
export type Mention = (chunk: Buffer, from: number, to: number) => boolean;

const BACKSLASH = '\\';

/**
 * False only where no string of the stretch can be `text` or hold it: its bytes do not occur, and neither does a
 * backslash, by which JSON could write it in another way.
 */
export function createMention(text: string): Mention {
  const bytes = Buffer.from(text);
  const nextText = createSearch(bytes);
  const nextEscape = createSearch(Buffer.from(BACKSLASH));
  return (chunk, from, to) => nextText(chunk, from) < to || nextEscape(chunk, from) < to;
}

/** Where the next occurrence begins. Each chunk is searched once, whatever the number of stretches. */
function createSearch(bytes: Buffer): (chunk: Buffer, from: number) => number {
  let searched: Buffer | undefined;
  let next = -1;
  return (chunk, from) => {
    if (chunk === searched && next >= from) return next;
    searched = chunk;
    const found = chunk.indexOf(bytes, from);
    next = found < 0 ? Number.POSITIVE_INFINITY : found;
    return next;
  };
}
