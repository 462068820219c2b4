// Where one JSON value ends and the next begins, in text that holds several.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);
const SPACE = /\S/g;

/** After the closing quote; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/** After the bracket that closes the first one; the end of the text if none does, or if it begins with none. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) depth -= 1;
    if (depth <= 0) return OPENING.has(text.charCodeAt(start)) ? at : text.length;
  }
  return text.length;
}

/** The texts of the values one by one. What is no JSON comes as it is, up to the end: its parser will say so. */
export function* splitJson(text: string): Generator<string> {
  for (let at = 0; ; ) {
    SPACE.lastIndex = at;
    const start = SPACE.exec(text)?.index;
    if (start === undefined) return;
    at = endOfValue(text, start);
    yield text.slice(start, at);
  }
}
