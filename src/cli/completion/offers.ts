// What may be typed at the cursor, as far as the table of commands tells.

import type { Command } from '../../commands/spec/command.ts';
import { flagsOf } from '../../commands/spec/common.ts';
import { type Flag, type Flags, isSeparated } from '../../commands/spec/flags.ts';
import { formatsOf } from '../../printers/formats.ts';
import { type Cursor, findShort } from './complete.ts';

/** One word that may stand there. */
export interface Offer {
  readonly value: string;
  readonly summary?: string;
}

/** What only the mesh can tell. */
export type OfMesh = 'nodes' | 'namespaces' | 'target';
/** The same, and what the kubeconfig can. */
export type Live = OfMesh | 'contexts';

export interface Offers {
  /** Stands before each value in the word that is typed: `--output=`. */
  readonly prefix: string;
  readonly offers: readonly Offer[];
  readonly live?: Live | undefined;
  /** Names of files may stand there too. */
  readonly files?: boolean;
}

const NOTHING: Offers = { prefix: '', offers: [] };

/** `current` is the word being typed. */
export function findOffers(cursor: Cursor, current: string, commands: readonly Command[]): Offers {
  const { command, awaited, onlyWords } = cursor;
  const flags = flagsOf(command);
  if (awaited !== undefined) return valuesOf(awaited, flags[awaited], command, '', current);
  if (!onlyWords && current.startsWith('-')) return offerFlags(cursor, current, flags);
  if (command === undefined) return offerCommands(cursor, commands);
  const { most = 0, choices, completes } = command.arguments ?? {};
  if (cursor.words.length >= most) return NOTHING;
  return {
    prefix: '',
    offers: (choices ?? []).map((value) => ({ value })),
    live: completes === 'target' ? 'target' : undefined,
    files: completes === 'files',
  };
}

function offerCommands({ words }: Cursor, commands: readonly Command[]): Offers {
  const names = commands.map(({ name, summary }) => ({ value: name, summary }));
  if (words.length === 0) {
    return { prefix: '', offers: [...names, { value: 'help', summary: 'Help for a command' }] };
  }
  return words.length === 1 && words[0] === 'help' ? { prefix: '', offers: names } : NOTHING;
}

function offerFlags({ command, given }: Cursor, current: string, flags: Flags): Offers {
  const equals = current.indexOf('=');
  if (current.startsWith('--') && equals > 0) {
    const name = current.slice(2, equals);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    return valuesOf(name, flag, command, current.slice(0, equals + 1), current.slice(equals + 1));
  }
  if (!current.startsWith('--') && current.length > 2) {
    const [name = '', flag] = findShort(current[1]!, flags) ?? [];
    const prefix = current.slice(0, current[2] === '=' ? 3 : 2);
    if (flag?.kind !== 'boolean') return valuesOf(name, flag, command, prefix, current.slice(prefix.length));
  }
  const offers = Object.entries(flags)
    .toSorted(([, a], [, b]) => Number(b.group === 'command') - Number(a.group === 'command'))
    .filter(([name, flag]) => flag.kind === 'strings' || !given.has(name))
    .map(([name, { summary }]) => ({ value: `--${name}`, summary }));
  return { prefix: '', offers: [...offers, { value: '--help', summary: 'Help for the command' }] };
}

/** What stands for a flag's value in help says what its values are. */
const LIVE_VALUES: ReadonlyMap<string | undefined, Live> = new Map([
  ['NODE', 'nodes'],
  ['NAMESPACE', 'namespaces'],
]);
const CONTEXT_FLAGS: ReadonlySet<string> = new Set(['context', 'contexts']);

function valuesOf(
  name: string,
  flag: Flag | undefined,
  command: Command | undefined,
  prefix: string,
  typed: string,
): Offers {
  if (flag === undefined) return NOTHING;
  if (flag.kind === 'boolean') return { prefix, offers: [{ value: 'true' }, { value: 'false' }] };
  const formats =
    name === 'output' && command !== undefined && 'views' in command ? formatsOf(command.views) : undefined;
  const choices = formats ?? flag.choices;
  const listed =
    flag.kind === 'strings' && isSeparated(flag) ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  return {
    prefix: prefix + listed,
    offers: (choices ?? []).map((value) => ({ value })),
    live: CONTEXT_FLAGS.has(name) ? 'contexts' : LIVE_VALUES.get(flag.value),
    files: /\b(FILE|DIR)\b/.test(flag.value ?? ''),
  };
}
