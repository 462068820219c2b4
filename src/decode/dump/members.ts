// How the members of a dump's sections are taken in: one by one, several at a time, or passed over unread.

import type { Json } from '../../base/json.ts';
import { tooMany } from '../json/errors.ts';
import { parseJson } from '../json/text.ts';
import { memberPath } from './problems.ts';
import { attempt, collectorOf, type Reading } from './reading.ts';
import type { SectionCollector } from './section.ts';

/** The most members that are taken in from one dump, ten times the largest known mesh; they are held in memory. */
export const MAX_MEMBERS = 1_000_000;

export function takeMember(reading: Reading, at: string | number, text: string, offset: number): void {
  countMembers(reading, 1, offset);
  const { source, shape, problems, name } = reading;
  if (source === undefined || shape === undefined || problems.tooMany(name)) return;
  const collector = collectorOf(reading, source.section);
  const path = () => memberPath(name, at);
  attempt(reading, path, text, offset, (value) => collector?.add(at, value));
}

/** The same, unless the text is no JSON: false then. */
export function takeGuessedMember(reading: Reading, at: number, text: string, offset: number): boolean {
  const { source, shape, problems, name, options } = reading;
  const collector = guessingCollector(reading);
  if (source === undefined || shape === undefined || collector === undefined) return false;
  const json = parsed(text, options.keepRaw);
  if (json === undefined) return false;
  countMembers(reading, 1, offset);
  try {
    collector.add(at, json);
  } catch (error) {
    problems.add(source.section, () => memberPath(name, at), offset, error);
  }
  return true;
}

/** How many of a text in brackets were taken in; 0 where one is wrong, so that each is tried by itself. */
export function takeGuessedMembers(reading: Reading, text: string, offset: number): number {
  const collector = guessingCollector(reading);
  // What is kept as it was read may nest only as deep as is looked at.
  if (collector === undefined || reading.options.keepRaw) return 0;
  const values = parsed(text, false) as readonly Json[] | undefined;
  if (values === undefined) return 0;
  if (reading.members + values.length > MAX_MEMBERS) throw tooMany(MAX_MEMBERS, offset);
  if (!collector.addAll(values)) return 0;
  reading.members += values.length;
  return values.length;
}

/** A workload that does not mention the own node, where only those of the own node are wanted. */
export function passOver(reading: Reading, chunk: Buffer, from: number, to: number): boolean {
  if (!leavesSomeOut(reading) || reading.mentionsNode?.(chunk, from, to)) return false;
  countMembers(reading, 1, from);
  return true;
}

function leavesSomeOut({ source, mentionsNode }: Reading): boolean {
  return source?.section === 'workloads' && mentionsNode !== undefined;
}

/** Undefined where each member has to be looked at before it is parsed. */
function guessingCollector(reading: Reading): SectionCollector<unknown> | undefined {
  const { source, problems, name } = reading;
  if (source === undefined || problems.tooMany(name) || leavesSomeOut(reading)) return undefined;
  return collectorOf(reading, source.section);
}

function parsed(text: string, lossless: boolean): Json | undefined {
  try {
    return parseJson(text, lossless);
  } catch {
    return undefined;
  }
}

function countMembers(reading: Reading, count: number, offset: number): void {
  reading.members += count;
  if (reading.members > MAX_MEMBERS) throw tooMany(MAX_MEMBERS, offset);
}
