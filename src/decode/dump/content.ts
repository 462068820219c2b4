// What the sections of a config dump amount to as they are scanned, and when enough of them is known.

import type { UserError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { ConfigDump, Section, ZtunnelConfig } from '../../model/dump.ts';
import { absent, brokenOff, tooMany, unknownShape } from '../json/dumperrors.ts';
import type { Interest, ScanHandler, ScanPosition } from '../json/jsonscan.ts';
import { parseJson } from '../json/rawjson.ts';
import { type DumpVersion, decodeConfig, decodeVersion } from './config.ts';
import { ALWAYS_SENT, type Shape, SOURCES, type Source } from './eras.ts';
import { describe } from './fields.ts';
import { createMention, type Mention } from './mention.ts';
import { createProblems, memberPath } from './problems.ts';
import type { SectionCollector } from './section.ts';
import { createSections } from './sections.ts';

/** The most members that are taken in from one dump, ten times the largest known mesh; they are held in memory. */
export const MAX_MEMBERS = 1_000_000;

export interface DumpReaderOptions {
  readonly sections: ReadonlySet<Section>;
  /** Whether members keep what ztunnel sent, as their `raw`. */
  readonly keepRaw: boolean;
  /** Read on when everything wanted is known, so that a dump that breaks off later is noticed. */
  readonly toTheEnd?: boolean;
  /** Believe what a redacted dump says of its certificates. */
  readonly judged?: boolean;
  /**
   * Only workloads of the dump's own node are wanted: most of the others are left out, all of them are not (where the
   * node is not known in time, none).
   */
  readonly ownWorkloads?: boolean | undefined;
}

const NO_CONFIG: ZtunnelConfig = {
  localNode: undefined,
  clusterId: undefined,
  network: undefined,
  proxyMode: undefined,
  caAddress: undefined,
  secretTtlSeconds: undefined,
  raw: undefined,
};

export interface Content {
  readonly handler: ScanHandler;
  /** What a scan up to here has brought. Throws UserError. */
  dump(position: ScanPosition, stopped: boolean): ConfigDump;
  /** The sections that are whole so far, however the rest may be. */
  rescue(): ConfigDump;
}

/** Takes in what a scanner finds in one dump. */
export function createContent({
  sections: wanted,
  keepRaw,
  toTheEnd,
  judged,
  ownWorkloads,
}: DumpReaderOptions): Content {
  const collectors = createSections(keepRaw, judged);
  const collectorOf = (section: Section): SectionCollector<unknown> | undefined =>
    section === 'config' || section === 'version' ? undefined : collectors[section];
  const problems = createProblems();
  const wholes = new Map<Section, ZtunnelConfig | DumpVersion>();
  const settled = new Set<Section>();
  let recognised = false;
  let isApiObject = false;
  let members = 0;
  let name = '';
  let source: Source | undefined; // of the current key; undefined when it is skipped
  let shape: Shape | undefined; // of its value; undefined until it is known to be a right one
  let mentionsNode: Mention | undefined; // the own node, once it is known and if others are left out

  function key(found: string): Interest {
    name = found;
    source = SOURCES.get(found);
    shape = undefined;
    isApiObject ||= found === 'apiVersion';
    if (source === undefined) return 'skip';
    recognised ||= !source.whole;
    if (source.section === 'version') return 'value'; // small, and said of a dump of unknown shape
    if (wanted.has(source.section)) return source.whole ? 'value' : 'members';
    source = undefined;
    return 'skip';
  }

  /** The value as JSON; what is not, or has a wrong type, becomes a problem. */
  function attempt(path: () => string, text: string, offset: number, take: (value: Json) => void): void {
    if (source === undefined) return;
    try {
      take(parseJson(text, keepRaw));
    } catch (error) {
      problems.add(source.section, path, offset, error);
    }
  }

  function open(found: Shape): void {
    if (source === undefined) return;
    shape = source.shapes.includes(found) ? found : undefined;
    if (!source.repeats) problems.forget(name);
    collectorOf(source.section)?.begin(name, source, shape);
    if (shape === undefined) {
      const sent = found === 'list' ? 'a list' : 'an object';
      problems.note(source.section, name, `${name} is ${sent}, where ${source.expected} was expected`);
    }
  }

  function countMember(offset: number): void {
    members += 1;
    if (members > MAX_MEMBERS) throw tooMany(MAX_MEMBERS, offset);
  }

  function passOver(chunk: Buffer, from: number, to: number): boolean {
    if (source?.section !== 'workloads' || mentionsNode === undefined) return false;
    if (mentionsNode(chunk, from, to)) return false;
    countMember(from);
    return true;
  }

  /** Members that follow one another; 0 where one is wrong, so that each is tried by itself. */
  function guessedAll(text: string, offset: number): number {
    const collector =
      source === undefined || problems.tooMany(name) ? undefined : collectorOf(source.section);
    // What is kept as it was sent may nest only as deep as is looked at.
    if (source === undefined || collector === undefined || keepRaw) return 0;
    if (source.section === 'workloads' && mentionsNode !== undefined) return 0;
    let values: readonly Json[];
    try {
      values = parseJson(text, false) as readonly Json[];
    } catch {
      return 0;
    }
    if (members + values.length > MAX_MEMBERS) throw tooMany(MAX_MEMBERS, offset);
    if (!collector.addAll(values)) return 0;
    members += values.length;
    return values.length;
  }

  /** The same as `member`, unless the text is no JSON. */
  function guessed(at: number, text: string, offset: number): boolean {
    const collector =
      source === undefined || problems.tooMany(name) ? undefined : collectorOf(source.section);
    if (source === undefined || shape === undefined || collector === undefined) return false;
    if (source.section === 'workloads' && mentionsNode !== undefined) return false;
    let json: Json;
    try {
      json = parseJson(text, keepRaw);
    } catch {
      return false;
    }
    countMember(offset);
    try {
      collector.add(at, json);
    } catch (error) {
      problems.add(source.section, () => memberPath(name, at), offset, error);
    }
    return true;
  }

  function member(at: string | number, text: string, offset: number): void {
    countMember(offset);
    if (source === undefined || shape === undefined || problems.tooMany(name)) return;
    const collector = collectorOf(source.section);
    attempt(
      () => memberPath(name, at),
      text,
      offset,
      (value) => collector?.add(at, value),
    );
  }

  function takeConfig(config: ZtunnelConfig): void {
    wholes.set('config', config);
    mentionsNode = ownWorkloads && config.localNode ? createMention(config.localNode) : undefined;
  }

  /** `config` and `version`, or a collection that is neither a list nor an object. */
  function value(text: string, offset: number): void {
    const current = source;
    if (current === undefined) return;
    problems.forget(name);
    wholes.delete(current.section);
    collectorOf(current.section)?.begin(name, current, undefined);
    attempt(
      () => name,
      text,
      offset,
      (json) => {
        if (current.section === 'config') takeConfig(decodeConfig(json, keepRaw));
        else if (current.section === 'version') wholes.set('version', decodeVersion(json));
        else
          problems.note(
            current.section,
            name,
            `${name} is ${describe(json)}, where ${current.expected} was expected`,
          );
      },
    );
  }

  function close(): boolean {
    if (source === undefined) return false;
    // A section of a wrong shape is settled too: nothing better will follow.
    if (shape === undefined || source.settles.includes(shape)) settled.add(source.section);
    source = undefined;
    return toTheEnd !== true && [...wanted].every((section) => settled.has(section));
  }

  const isFound = (section: Section) => wholes.has(section) || collectorOf(section)?.found() === true;

  function cut({ offset }: ScanPosition): UserError {
    const missing = [...wanted].filter((section) => !settled.has(section)).sort();
    const inside = source !== undefined && wanted.has(source.section);
    return brokenOff(
      offset,
      inside ? `inside its section ${name}` : `before its section ${missing[0] ?? name} was whole`,
    );
  }

  function noteAbsent(): void {
    for (const section of [...wanted].sort()) {
      if (!ALWAYS_SENT.has(section) || isFound(section) || problems.has(section)) continue;
      problems.note(section, section, absent(section));
    }
  }

  const versionRead = () => wholes.get('version') as DumpVersion | undefined;

  function dump(position: ScanPosition, stopped: boolean): ConfigDump {
    if (!stopped && !position.closed) throw cut(position);
    if (!stopped && !recognised) throw unknownShape(versionRead()?.version, isApiObject);
    if (!stopped) noteAbsent();
    return gather([...wanted].filter(isFound));
  }

  function gather(sections: readonly Section[]): ConfigDump {
    return {
      sections: new Set(sections),
      certificates: collectors.certificates.items(),
      workloads: collectors.workloads.items(),
      services: collectors.services.items(),
      policies: collectors.policies.items(),
      capturedPods: collectors.workloadState.items(),
      config: (wholes.get('config') as ZtunnelConfig | undefined) ?? NO_CONFIG,
      version: wanted.has('version') ? versionRead()?.version : undefined,
      // Known wherever it was passed by: it decides how certificates are judged.
      cryptoProvider: versionRead()?.cryptoProvider,
      problems: problems.list(wanted),
    };
  }

  const rescue = () => gather([...wanted].filter((section) => settled.has(section) && isFound(section)));

  return { handler: { key, open, member, guessed, guessedAll, passOver, value, close }, dump, rescue };
}
