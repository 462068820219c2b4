// How what a terminal shows becomes a picture that reads on light and dark pages.

/** A text with one look. */
interface Run {
  readonly text: string;
  readonly style: string;
}

const CELL = { width: 8.4, height: 18, font: 14 } as const;
const MARGIN = 16;
const BAR = 28;

/** What the sixteen colours of chalk mean here; any other code is refused. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'b',
  2: 'd',
  31: 'r',
  32: 'g',
  33: 'y',
  36: 'c',
};
const ENDS: Readonly<Record<string, string>> = { 22: 'bd', 39: 'rgyc', 0: 'bdrgyc' };

const CSS = `
text { font: ${CELL.font}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d4d4d4; white-space: pre; }
.b { font-weight: bold; } .d { fill: #8b8b8b; } .r { fill: #ff6b6b; } .g { fill: #6fce7c; } .y { fill: #e5c558; } .c { fill: #5fc8d8; }`;

/**
 * The SVG of a screen. `title` stands in its bar; `text` may set colours, each character as wide as the next. Throws on
 * a control sequence that sets no look.
 */
export function renderTerminal(title: string, text: string, columns: number): string {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => wrapped(line, columns));
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = lines.length * CELL.height + BAR + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = BAR + MARGIN + (index + 1) * CELL.height - 5;
    return renderLine(line, y);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(title)}">
<style>${CSS}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1e1e1e"/>
<circle cx="18" cy="16" r="5" fill="#555"/><circle cx="36" cy="16" r="5" fill="#555"/><circle cx="54" cy="16" r="5" fill="#555"/>
<text x="${width / 2}" y="20" text-anchor="middle" class="d">${escapeMarkup(title)}</text>
${rows.filter(Boolean).join('\n')}
</svg>
`;
}

/** As a terminal wraps what is too long for it. What has colours is a table, which fits. */
function wrapped(line: string, columns: number): readonly string[] {
  if (line.includes('\x1b') || line.length <= columns) return [line];
  return line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [];
}

function renderLine(line: string, y: number): string {
  let column = 0;
  const parts: string[] = [];
  for (const { text, style } of runsOf(line)) {
    const length = [...text].length;
    const blank = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown !== '') {
      const x = round(MARGIN + (column + blank) * CELL.width);
      // Whatever font there is, columns stand below one another.
      const fit = `textLength="${round([...shown].length * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
      parts.push(
        `<text x="${x}" y="${y}" ${fit}${style && ` class="${style}"`}>${escapeMarkup(shown)}</text>`,
      );
    }
    column += length;
  }
  return parts.join('');
}

/** A line's parts by look. Wide gaps divide, too, so that a font's own width can't move what follows them. */
function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let style = '';
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part)?.[1];
    if (codes !== undefined) {
      for (const code of (codes || '0').split(';')) style = apply(style, code);
    } else if (part.includes('\x1b') || part.includes('\r')) {
      throw new Error(`a picture can't show ${JSON.stringify(part)}`);
    } else {
      for (const text of part.split(/(?<=\S)(?=\s{2,})/)) runs.push({ text, style });
    }
  }
  return runs;
}

function apply(style: string, code: string): string {
  const ended = [...(ENDS[code] ?? '')];
  const left = style.split(' ').filter((name) => name !== '' && !ended.includes(name));
  if (!(code in STYLES) && !(code in ENDS)) throw new Error(`a picture can't show the look ${code}`);
  return [...left, ...(STYLES[code] ? [STYLES[code]] : [])].join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
