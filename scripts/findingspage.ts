// How docs/findings.md follows from the tables of findings.

import { textsOf } from '../src/model/findings/check.ts';
import { ALL_CODES, type AnyCode } from '../src/model/findings/codes.ts';
import { SEVERITIES } from '../src/model/order.ts';

const HEAD = `# Findings of \`kubectl ztunnel check\`

Made from the tables in \`src/model/findings/table.ts\` and \`src/model/findings/across.ts\` by \`npm run findings\`, in the order of \`check\`: the most severe first.
\`--only\` and \`--ignore\` take these codes. [monitoring.md](monitoring.md) has exit codes, metrics and alerts.
`;

/** The page as Markdown, each severity a section and each code a heading that can be linked to. */
export function renderFindingsPage(): string {
  const sections = SEVERITIES.filter((severity) => severity !== 'ok').map((severity) => {
    const entries = ALL_CODES.filter((code) => textsOf(code).severity === severity).map(renderEntry);
    return `## ${severity[0]?.toUpperCase()}${severity.slice(1)}\n\n${entries.join('\n')}`;
  });
  return `${HEAD}\n${sections.join('\n')}`;
}

function renderEntry(code: AnyCode): string {
  const { title, meaning, remedy } = textsOf(code);
  return `### ${code}\n\n**${title}.** ${meaning}\n\n_What to do:_ ${remedy}\n`;
}
