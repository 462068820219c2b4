// Which dumps do not tell what node they are of, and what can't be said of them for that.

import type { Answer } from '../types.ts';
import { nodeOf } from './ztunnels.ts';

/** The names of dumps that list certificates and no node: nobody can know what they ought to list. */
export function listNodeless(answers: readonly Answer[]): readonly string[] {
  return answers
    .filter((answer) => nodeOf(answer) === null && answer.dump.sections.has('certificates'))
    .map(({ ztunnel }) => ztunnel.name);
}

const NAMES_SHOWN = 5;

/** The sentence that names them; undefined if there are none. */
export function describeNodeless(answers: readonly Answer[]): string | undefined {
  const names = listNodeless(answers);
  if (names.length === 0) return undefined;
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  const shown = `${names.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  const why = names.length === 1 ? 'it does not name its node' : 'they do not name their nodes';
  return `MISSING certificates were not looked for in ${shown}, and owners are not known: ${why} (config.localNode).`;
}
