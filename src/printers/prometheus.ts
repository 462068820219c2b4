// How metrics become Prometheus' text exposition format, as the node exporter's textfile collector takes it.

import type { Metric, Sample } from './monitors.ts';
import { printable } from './terminal.ts';

/**
 * HELP and TYPE once for each metric, then its samples; no timestamps, which the textfile collector refuses. A second
 * sample with the same labels would make the whole file invalid, so that the first counts.
 */
export function* renderPrometheus(metrics: Iterable<Metric>): Generator<string, void, undefined> {
  for (const { name, help, type, samples } of metrics) {
    yield `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
    const seen = new Set<string>();
    for (const sample of samples) {
      const labels = renderLabels(sample);
      if (seen.has(labels)) continue;
      seen.add(labels);
      yield `${name}${labels} ${sample.value}\n`;
    }
  }
}

function renderLabels({ labels }: Sample): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** What would act on a terminal is spelled out first, so that a line break can't come from outside. */
function escapeValue(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return printable(text).replaceAll('\\', '\\\\');
}
