// How much has passed through, and when the dead chunks of it are to be collected.

const COLLECT_EVERY_BYTES = 4 * 1024 * 1024;

/** Collects garbage whenever so much has passed. */
export function createMeter(collectGarbage: () => void): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < COLLECT_EVERY_BYTES) return;
    passed = 0;
    collectGarbage();
  };
}

/** The chunks, counted as each has been dealt with. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  passed: (bytes: number) => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    passed(chunk.length);
  }
}
