// What a shell is told about the word that is being typed, in the protocol that kubectl speaks with its plugins.

import { parseArgv } from '../argv/argv.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Clock, Command } from '../commands/command.ts';
import type { CommonOptions } from '../commands/common.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { findLive, offerTypes } from './live.ts';
import { findOffers, type Live, type Offer } from './offers.ts';

export interface Surroundings {
  connect(options: CommonOptions): Promise<Cluster>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A person waits for it with a finger on the key. */
const PATIENCE_MS = 1000;
/** More than a person reads. */
const MOST_OFFERS = 1000;

/**
 * `words` are those after the program's name; the last, which may be empty, is being typed. Gives one line for
 * each offer, `value<TAB>summary`, and a last line `:<directive>`: 4 no names of files, 2 no space after the value.
 * Never throws and never takes much more than a second: without a cluster it offers what it knows by itself.
 */
export async function complete(
  words: readonly string[],
  commands: readonly Command[],
  surroundings: Surroundings,
): Promise<string> {
  const before = words.slice(0, -1);
  // PowerShell can't pass an empty word on: it sends a space.
  const current = (words.at(-1) ?? '').trim();
  const cursor = readCursor(before, commands);
  const { prefix, offers, live, files = false } = findOffers(cursor, current, commands);
  const typed = current.slice(prefix.length);
  const found = live === undefined ? [] : await ask(live, typed, cursor, before, commands, surroundings);
  const fitting = [...offers, ...found].filter(({ value }) => value.startsWith(typed)).slice(0, MOST_OFFERS);
  const open = fitting.length > 0 && fitting.every(({ value }) => value.endsWith('/'));
  const lines = fitting.map(
    ({ value, summary }) => prefix + value + (summary === undefined ? '' : `\t${summary}`),
  );
  return [...lines, `:${(files ? 0 : 4) + (open ? 2 : 0)}`, ''].join('\n');
}

/** Names of Kubernetes' objects, and nothing that a shell could take for more than a word. */
const SAFE = /^[a-z0-9][a-zA-Z0-9._/-]*$/;

/** What the mesh offers. Nothing if it can't be asked, or does not answer soon. */
async function ask(
  live: Live,
  typed: string,
  cursor: Cursor,
  before: readonly string[],
  commands: readonly Command[],
  { connect, clock, signal: outer }: Surroundings,
): Promise<readonly Offer[]> {
  const otherwise = offerTypes(live);
  const options = readOptions(cursor, before, commands);
  if (options === undefined || options.file.length > 0) return otherwise;
  const done = new AbortController();
  const signal = AbortSignal.any([outer, done.signal]);
  const answer = async () => {
    const cluster = await connect(options);
    try {
      return (await findLive(live, { cluster, options, typed, signal })).filter(({ value }) =>
        SAFE.test(value),
      );
    } finally {
      await cluster.close();
    }
  };
  try {
    return await Promise.race([answer(), clock.sleep(PATIENCE_MS, done.signal).then(() => otherwise)]);
  } catch {
    // Whatever went wrong: a shell's prompt is no place to say so.
    return otherwise;
  } finally {
    done.abort();
  }
}

/** The options so far, for the cluster that they mean; undefined for a command line that is wrong. */
function readOptions(
  { awaited }: Cursor,
  before: readonly string[],
  commands: readonly Command[],
): CommonOptions | undefined {
  const whole = awaited === undefined ? before : before.slice(0, -1);
  // A command may need a word that is not there yet.
  for (const argv of [whole, [...whole, 'x'], [...whole, 'x', 'y']]) {
    const parsed = parseArgv(argv, commands);
    if (parsed.type === 'run') return parsed.options as unknown as CommonOptions;
  }
  return undefined;
}
