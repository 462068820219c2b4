// How the lives of certificates are drawn: a bar for each, on one scale, with half-life, expiry and the time of reference.

import { escapeHtml } from './html.ts';
import type { Life, LifeGroup, Page } from './shapes.ts';

/** How a node is shown. */
export type NodeNames = (name: string) => string;

/** Units across; the drawing is stretched to the room that there is. */
const WIDTH = 1_000;

interface Scale {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** A section with a drawing for each root; nothing where no certificate has dates. */
export function* renderTimeline({ at, groups }: Page, nodes: NodeNames): Generator<string, void, undefined> {
  if (groups.length === 0) return;
  const scale = scaleOf(at, groups);
  yield `<section>
<h2>Certificate lifetimes</h2>
<p class="legend">Each bar is a certificate's life on its node. Dashed: half of it, when ztunnel renews. Its right end: when it
expires. The line through all: the time of this report.</p>
`;
  for (const { title, detail, lives } of groups) {
    yield `<h3>${escapeHtml(title)} <span>${escapeHtml(detail)}</span></h3>\n<div class="lives">\n${renderScale(scale)}`;
    for (const life of lives) yield renderLife(life, scale, nodes);
    yield '</div>\n';
  }
  yield '</section>\n';
}

/**
 * From the first beginning to the last end, but no more than three times the usual life to either side of now: one
 * certificate of ten years would leave nothing to see of those of a day.
 */
function scaleOf(at: number, groups: readonly LifeGroup[]): Scale {
  const lives = groups.flatMap((group) => group.lives);
  const lengths = lives.map(({ from, to }) => to - from).toSorted((a, b) => a - b);
  const reach = 3 * Math.max(60_000, lengths[Math.floor(lengths.length / 2)]!);
  const earliest = lives.reduce((least, { from }) => Math.min(least, from), at);
  const latest = lives.reduce((most, { to }) => Math.max(most, to), at);
  return {
    from: Math.max(earliest, at - reach),
    to: Math.max(at + 60_000, Math.min(latest, at + reach)),
    at,
  };
}

/** Within the drawing, whatever the dates are. */
function place(time: number, { from, to }: Scale): number {
  const share = (time - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, share)) * WIDTH * 10) / 10;
}

/** How far it reaches to either side, and where now is. */
function renderScale(scale: Scale): string {
  const percent = place(scale.at, scale) / 10;
  const [before, after] = [scale.at - scale.from, scale.to - scale.at];
  // A word at the edge would be over the other.
  const left = percent > 20 ? `<span>${reach(before)} before</span>` : '';
  const right = percent < 80 ? `<span class="end">${reach(after)} after</span>` : '';
  return `<div class="scale"><div>${left}<span class="now" style="left:${percent}%">now</span>${right}</div></div>\n`;
}

const HOUR = 3_600_000;

/** `30 min`, `25 h`, `90 d`. */
function reach(milliseconds: number): string {
  if (milliseconds < 2 * HOUR) return `${Math.round(milliseconds / 60_000)} min`;
  const hours = Math.round(milliseconds / HOUR);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

function renderLife(
  { name, node, status, tone, from, half, to, detail }: Life,
  scale: Scale,
  nodes: NodeNames,
): string {
  const [start, middle, end, now] = [from, half, to, scale.at].map((time) => place(time, scale));
  const line = (x: number, kind: string) => `<line class="${kind}" x1="${x}" x2="${x}" y1="0" y2="20"/>`;
  // What is outside of the drawing has no mark at its edge.
  const mark = (time: number, x: number, kind: string) =>
    time >= scale.from && time <= scale.to ? line(x, kind) : '';
  return `<div class="life"><span>${escapeHtml(name)}</span><span class="node dim">${escapeHtml(nodes(node))}</span>
<svg class="${tone}" viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(detail)}"><title>${escapeHtml(detail)}</title>
<rect class="bar" x="${start}" y="4" width="${Math.max(2, end! - start!)}" height="12"/>${mark(half, middle!, 'half')}${mark(to, end!, 'end')}${line(now!, 'now')}</svg>
<span class="${tone}">${escapeHtml(status)}</span></div>
`;
}
