// Where JSON text stops being JSON, for error messages: JSON.parse does not always say.

const PUNCTUATION = '{}[]:,';
const BLANK = ' \t\n\r';
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The index behind the string that begins at `from`; negative, minus one, where it breaks. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') return -at - 1;
    if (char === '\\') {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return -at - 1;
      at = ESCAPE.lastIndex;
    } else at += 1;
  }
  return -text.length - 1;
}

/** The index behind the token that begins at `from`; negative, minus one, where it breaks. */
function endOfToken(text: string, from: number): number {
  const char = text.charAt(from);
  if (char === '"') return endOfString(text, from);
  if (PUNCTUATION.includes(char)) return from + 1;
  SCALAR.lastIndex = from;
  return SCALAR.test(text) ? SCALAR.lastIndex : -from - 1;
}

/** What may come next: a value, a value or `]`, a key or `}`, a key, a colon, or a comma or closing bracket. */
type Expect = 'value' | 'firstValue' | 'firstKey' | 'key' | 'colon' | 'comma';

const OPENS = { '{': 'firstKey', '[': 'firstValue' } as const satisfies Record<string, Expect>;
const CLOSES = { '{': '}', '[': ']' } as const;

/** What comes after `token` in brackets `open`, which it may open or close; undefined where it may not stand. */
function step(token: string, expect: Expect, open: ('{' | '[')[]): Expect | undefined {
  const top = open.at(-1);
  if (expect === 'colon') return token === ':' ? 'value' : undefined;
  if (top !== undefined && token === CLOSES[top] && ['comma', 'firstValue', 'firstKey'].includes(expect)) {
    open.pop();
    return 'comma';
  }
  if (expect === 'comma')
    return top !== undefined && token === ',' ? (top === '{' ? 'key' : 'value') : undefined;
  if (expect === 'key' || expect === 'firstKey') return token === '"' ? 'colon' : undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return OPENS[token];
  }
  return PUNCTUATION.includes(token) ? undefined : 'comma';
}

/**
 * The index of the first character that makes `text` no JSON (of a broken number, word or escape: its first); the length of
 * `text` if it ends too early or is JSON.
 */
export function findJsonError(text: string): number {
  const open: ('{' | '[')[] = [];
  let expect: Expect = 'value';
  let at = 0;
  while (at < text.length) {
    if (BLANK.includes(text.charAt(at))) {
      at += 1;
      continue;
    }
    const next = step(text.charAt(at), expect, open);
    const end = next === undefined ? -at - 1 : endOfToken(text, at);
    if (next === undefined || end < 0) return -end - 1;
    [expect, at] = [next, end];
  }
  return text.length;
}
