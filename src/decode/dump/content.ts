// How what the scanner finds in a config dump is taken in, key by key, and when enough of it is known.

import type { Json } from '../../base/json.ts';
import type { ConfigDump, ZtunnelConfig } from '../../model/dump.ts';
import type { ScanPosition } from '../json/jsonscan.ts';
import type { Interest, ScanHandler } from '../json/scanstate.ts';
import { decodeConfig, decodeVersion } from './config.ts';
import { type Shape, SOURCES, type Source } from './eras.ts';
import { describe } from './fields.ts';
import { passOver, takeGuessedMember, takeGuessedMembers, takeMember } from './members.ts';
import { createMention } from './mention.ts';
import { dumpOf, rescued } from './outcome.ts';
import { attempt, collectorOf, createReading, type DumpReaderOptions, type Reading } from './reading.ts';

export interface Content {
  readonly handler: ScanHandler;
  /** What a scan up to here has brought. Throws UserError. */
  dump(position: ScanPosition, stopped: boolean): ConfigDump;
  /** The sections that are whole so far, however the rest may be. */
  rescue(): ConfigDump;
}

/** Takes in what a scanner finds in one dump. */
export function createContent(options: DumpReaderOptions): Content {
  const reading = createReading(options);
  return {
    handler: {
      key: (name) => takeKey(reading, name),
      open: (shape) => takeShape(reading, shape),
      member: (at, text, offset) => takeMember(reading, at, text, offset),
      guessed: (at, text, offset) => takeGuessedMember(reading, at, text, offset),
      guessedAll: (text, offset) => takeGuessedMembers(reading, text, offset),
      passOver: (chunk, from, to) => passOver(reading, chunk, from, to),
      value: (text, offset) => takeValue(reading, text, offset),
      close: () => closeKey(reading),
    },
    dump: (position, stopped) => dumpOf(reading, position, stopped),
    rescue: () => rescued(reading),
  };
}

function takeKey(reading: Reading, name: string): Interest {
  const source = SOURCES.get(name);
  reading.name = name;
  reading.source = source;
  reading.shape = undefined;
  reading.isApiObject ||= name === 'apiVersion';
  if (source === undefined) return 'skip';
  reading.recognised ||= !source.whole;
  if (source.section === 'version') return 'value'; // small, and named in the error for a dump of unknown shape
  if (reading.options.sections.has(source.section)) return source.whole ? 'value' : 'members';
  reading.source = undefined;
  return 'skip';
}

function takeShape(reading: Reading, found: Shape): void {
  const { source, name, problems } = reading;
  if (source === undefined) return;
  reading.shape = source.shapes.includes(found) ? found : undefined;
  if (!source.repeats) problems.forget(name);
  collectorOf(reading, source.section)?.begin(name, source, reading.shape);
  if (reading.shape === undefined) noteShape(reading, source, found === 'list' ? 'a list' : 'an object');
}

/** `config` and `version`, or a collection that is neither a list nor an object. */
function takeValue(reading: Reading, text: string, offset: number): void {
  const { source, name, problems, wholes } = reading;
  if (source === undefined) return;
  problems.forget(name);
  wholes.delete(source.section);
  collectorOf(reading, source.section)?.begin(name, source, undefined);
  attempt(
    reading,
    () => name,
    text,
    offset,
    (json) => takeWhole(reading, source, json),
  );
}

function takeWhole(reading: Reading, source: Source, json: Json): void {
  if (source.section === 'config') takeConfig(reading, decodeConfig(json, reading.options.keepRaw));
  else if (source.section === 'version') reading.wholes.set('version', decodeVersion(json));
  else noteShape(reading, source, describe(json));
}

function takeConfig(reading: Reading, config: ZtunnelConfig): void {
  const { ownWorkloads } = reading.options;
  reading.wholes.set('config', config);
  reading.mentionsNode = ownWorkloads && config.localNode ? createMention(config.localNode) : undefined;
}

function noteShape({ problems, name }: Reading, { section, expected }: Source, found: string): void {
  problems.note(section, name, `${name} is ${found}, where ${expected} was expected`);
}

/** True once everything wanted is known, unless the dump is to be read to its end. */
function closeKey(reading: Reading): boolean {
  const { source, shape, settled, options } = reading;
  if (source === undefined) return false;
  // A section of a wrong shape is settled too: nothing better will follow.
  if (shape === undefined || source.settles.includes(shape)) settled.add(source.section);
  reading.source = undefined;
  return options.toTheEnd !== true && [...options.sections].every((section) => settled.has(section));
}
