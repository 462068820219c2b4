// How a redacted config dump is written: in the shape that is read, section by section.

import type { JsonObject } from '../../base/json.ts';
import {
  type CertificateEntry,
  type ConfigDump,
  type DumpCertificate,
  SECTIONS,
  type Section,
} from '../../model/dump.ts';
import { createCertificateRedaction } from '../../model/redact/certificates.ts';
import {
  redactCapturedPod,
  redactConfig,
  redactPolicy,
  redactProvider,
  redactService,
  redactVersion,
  redactWorkload,
} from '../../model/redact/dump.ts';
import type { Names } from '../../model/redact/names.ts';
import { judgedFactsJson } from './judgedfacts.ts';

/** Members of one section, by key where it is a map. */
type Members = (dump: ConfigDump, names: Names) => Iterable<JsonObject | readonly [key: string, JsonObject]>;

const LISTS = {
  certificates: function* (dump, names) {
    const redact = createCertificateRedaction(names);
    for (const entry of dump.certificates) yield entryJson(redact(entry));
  },
  policies: ({ policies }, names) => policies.values().map((policy) => redactPolicy(policy, names)),
  services: ({ services }, names) => services.values().map((service) => redactService(service, names)),
  workloadState: ({ capturedPods }, names) =>
    capturedPods.values().map((pod) => [names.digest(pod.uid), redactCapturedPod(pod, names)] as const),
  workloads: ({ workloads }, names) => workloads.values().map((workload) => redactWorkload(workload, names)),
} satisfies Partial<Record<Section, Members>>;

const VALUES = {
  config: ({ config }, names) => redactConfig(config, names),
  version: ({ version, cryptoProvider }, names) => ({
    ...(version !== undefined && { istioVersion: redactVersion(version, names) }),
    ...(cryptoProvider !== undefined && { cryptoProvider: redactProvider(cryptoProvider) }),
  }),
} satisfies Record<Exclude<Section, keyof typeof LISTS>, (dump: ConfigDump, names: Names) => JsonObject>;

/**
 * The sections that the dump has, as JSON text in pieces. A member that could not be read stands there as a 0, so that it
 * can't be read again. `whole` closes the text; one that broke off is left open.
 */
export function* renderRedactedDump(dump: ConfigDump, names: Names, whole: boolean): Iterable<string> {
  let begin = '{\n';
  for (const section of SECTIONS) {
    if (!dump.sections.has(section)) continue;
    yield `${begin}${JSON.stringify(section)}: `;
    begin = ',\n';
    if (section === 'config' || section === 'version') yield JSON.stringify(VALUES[section](dump, names));
    else
      yield* renderMembers(
        LISTS[section](dump, names),
        section === 'workloadState',
        problemsOf(dump, section),
      );
  }
  if (begin === '{\n') yield '{\n';
  yield whole ? '\n}\n' : '\n';
}

function* renderMembers(members: ReturnType<Members>, isMap: boolean, problems: number): Iterable<string> {
  let begin = isMap ? '{\n' : '[\n';
  const open = begin;
  for (const member of members) {
    const text = isMap
      ? `${JSON.stringify((member as readonly [string, JsonObject])[0])}: ${JSON.stringify((member as readonly [string, JsonObject])[1])}`
      : JSON.stringify(member);
    yield `${begin}${text}`;
    begin = ',\n';
  }
  for (let index = 0; index < problems; index += 1) {
    yield isMap ? `${begin}"${index}": 0` : `${begin}0`;
    begin = ',\n';
  }
  yield `${begin === open ? open : '\n'}${isMap ? '}' : ']'}`;
}

function problemsOf({ problems }: ConfigDump, section: Section): number {
  return problems.filter((problem) => problem.section === section).length;
}

function entryJson({ identity, state, chain, roots }: CertificateEntry): JsonObject {
  return {
    identity,
    state,
    certChain: chain.map(certificateJson),
    ...(roots !== undefined && { rootCerts: roots.map(certificateJson) }),
  };
}

function certificateJson({ serialNumber, validFrom, expirationTime, facts }: DumpCertificate): JsonObject {
  return { serialNumber, validFrom, expirationTime, ...(facts && { facts: judgedFactsJson(facts) }) };
}
