// What the reading of a config dump has brought: all that was wanted, an error, or the sections that are whole.

import type { UserError } from '../../base/errors.ts';
import type { ConfigDump, Section, ZtunnelConfig } from '../../model/dump.ts';
import { absent, brokenOff, unknownShape } from '../json/errors.ts';
import type { ScanPosition } from '../json/jsonscan.ts';
import type { DumpVersion } from './config.ts';
import { ALWAYS_SENT } from './eras.ts';
import { isFound, type Reading } from './reading.ts';

const NO_CONFIG: ZtunnelConfig = {
  localNode: undefined,
  clusterId: undefined,
  network: undefined,
  proxyMode: undefined,
  caAddress: undefined,
  secretTtlSeconds: undefined,
  fakeCa: false,
  xdsOnDemand: false,
  raw: undefined,
};

/** What a scan up to this position has brought; `stopped` says that all wanted sections are settled. Throws UserError. */
export function dumpOf(reading: Reading, position: ScanPosition, stopped: boolean): ConfigDump {
  const { options, recognised, isApiObject } = reading;
  if (!stopped && !position.closed) throw cut(reading, position);
  if (!stopped && !recognised) throw unknownShape(versionOf(reading)?.version, isApiObject);
  if (!stopped) noteAbsent(reading);
  return gather(
    reading,
    [...options.sections].filter((section) => isFound(reading, section)),
  );
}

/** The sections that are whole so far, however the rest may be. */
export function rescued(reading: Reading): ConfigDump {
  const { settled, options } = reading;
  return gather(
    reading,
    [...options.sections].filter((section) => settled.has(section) && isFound(reading, section)),
  );
}

function cut({ options, settled, source, name }: Reading, { offset }: ScanPosition): UserError {
  const missing = [...options.sections].filter((section) => !settled.has(section)).sort();
  const inside = source !== undefined && options.sections.has(source.section);
  return brokenOff(
    offset,
    inside ? `inside its section ${name}` : `before its section ${missing[0] ?? name} was whole`,
  );
}

function noteAbsent(reading: Reading): void {
  const { options, problems } = reading;
  for (const section of [...options.sections].sort()) {
    if (!ALWAYS_SENT.has(section) || isFound(reading, section) || problems.has(section)) continue;
    problems.note(section, section, absent(section));
  }
}

function versionOf({ wholes }: Reading): DumpVersion | undefined {
  return wholes.get('version') as DumpVersion | undefined;
}

function gather(reading: Reading, sections: readonly Section[]): ConfigDump {
  const { options, collectors, wholes, problems } = reading;
  const wanted = options.sections;
  const versionRead = versionOf(reading);
  return {
    sections: new Set(sections),
    certificates: collectors.certificates.items(),
    workloads: collectors.workloads.items(),
    services: collectors.services.items(),
    policies: collectors.policies.items(),
    capturedPods: collectors.workloadState.items(),
    config: (wholes.get('config') as ZtunnelConfig | undefined) ?? NO_CONFIG,
    version: wanted.has('version') ? versionRead?.version : undefined,
    // Known wherever it was passed by: it decides how certificates are judged.
    cryptoProvider: versionRead?.cryptoProvider,
    problems: problems.list(wanted),
  };
}
