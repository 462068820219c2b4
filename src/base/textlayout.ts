// How text for people is laid out in the width of a plain terminal.

/** Of a terminal that nobody has made wider. */
export const SCREEN_WIDTH = 80;

/**
 * Pairs in two columns, two spaces in and two apart. The right one is wrapped; a left one that is longer than `most`
 * stands on a line of its own.
 */
export function inColumns(
  rows: readonly (readonly [left: string, right: string])[],
  most: number,
): readonly string[] {
  const column = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= most));
  const indent = ' '.repeat(column + 4);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapWords(right, SCREEN_WIDTH - indent.length);
    const rest = others.map((line) => indent + line);
    if (left.length > column) return [`  ${left}`, indent + first, ...rest];
    return [`  ${left.padEnd(column)}  ${first}`.trimEnd(), ...rest];
  });
}

/** Command lines with their comments beside them, or above them where there is no room. */
export function withComments(rows: readonly (readonly [line: string, comment: string])[]): readonly string[] {
  // The longest line beside which all comments that are to stand there fit.
  const fits = (most: number) => {
    const beside = rows.filter(([line]) => line.length <= most);
    return beside.every(([, comment]) => most + comment.length + 6 <= SCREEN_WIDTH);
  };
  const column = Math.max(0, ...rows.map(([line]) => line.length).filter(fits));
  return rows.flatMap(([line, comment]) =>
    line.length <= column ? [`  ${line.padEnd(column)}  # ${comment}`] : [`  # ${comment}`, `  ${line}`],
  );
}

/** Items two spaces apart, none of them divided. */
export function wrapItems(items: readonly string[], width: number): readonly string[] {
  return wrap(items, '  ', width);
}

/** Words one space apart; one that is longer than a line may stand out. */
export function wrapWords(text: string, width: number): readonly string[] {
  return wrap(text.split(' '), ' ', width);
}

function wrap(items: readonly string[], between: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last === undefined || last.length + between.length + item.length > width) lines.push(item);
    else lines[lines.length - 1] = last + between + item;
  }
  return lines;
}
