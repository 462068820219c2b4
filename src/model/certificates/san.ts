// How node:crypto writes a certificate's subject alternative names.

// One entry: `kind:value`, the value a JSON string literal wherever it could be taken for another entry.
const ENTRY = /([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/y;

/** The URIs of `subjectAltName` text, in its order; what can't be read is left out. */
export function parseUriNames(text: string): readonly string[] {
  const uris: string[] = [];
  ENTRY.lastIndex = 0;
  for (let entry = ENTRY.exec(text); entry !== null; entry = ENTRY.exec(text)) {
    const [, kind, value = ''] = entry;
    if (kind === 'URI') uris.push(value.startsWith('"') ? unquote(value) : value);
  }
  return uris;
}

function unquote(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
