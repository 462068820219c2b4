// How small pieces of text become chunks worth a write.

/** Characters, not bytes; large enough that a write is not felt, small enough that nothing piles up. */
const CHUNK = 64 * 1024;

/** The same text in chunks of about 64 K characters, each the end of a piece; nothing for no text. */
export async function* inChunks(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let waiting: string[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size >= CHUNK) {
      yield waiting.join('');
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) {
    yield waiting.join('');
  }
}
