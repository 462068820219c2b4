// What a policy and the sections `config` and `version` of a dump say, in snake_case until 1.21.

import type { Json, JsonObject } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import type { Policy, ZtunnelConfig } from '../../model/dump.ts';
import { fieldOf, flagOf, objectOf, requiredTextOf, textOf } from './fields.ts';

/** An authorization policy. */
export function decodePolicy(value: Json, keepRaw: boolean): Policy {
  const object = objectOf(value);
  return {
    name: requiredTextOf(object, 'name'),
    namespace: textOf(object, 'namespace'),
    action: textOf(object, 'action'),
    scope: textOf(object, 'scope'),
    dryRun: flagOf(object, 'dryRun'),
    rules: todaysRules(fieldOf(object, 'rules') ?? []),
    raw: keepRaw ? object : undefined,
  };
}

/** Until 1.21, the kinds of a match are in snake_case: `not_destination_ports`. */
function todaysRules(value: Json): Json {
  if (Array.isArray(value)) return value.map((element: Json) => todaysRules(element));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      todaysRules(held ?? null),
    ]),
  );
}

/** Settings vary in type between releases (text, null, an enum as an object): what is not text is not known. */
function settingOf(object: JsonObject, name: string, oldName?: string): string | undefined {
  const value = fieldOf(object, name, oldName);
  return typeof value === 'string' ? value : undefined;
}

/** The settings that the program reads. */
export function decodeConfig(value: Json, keepRaw: boolean): ZtunnelConfig {
  const object = objectOf(value);
  const ttl = fieldOf(object, 'secretTtl', 'secret_ttl');
  const seconds = isObject(ttl) ? ttl.secs : undefined;
  return {
    localNode: settingOf(object, 'localNode', 'local_node'),
    clusterId: settingOf(object, 'clusterId', 'cluster_id'),
    network: settingOf(object, 'network'),
    proxyMode: settingOf(object, 'proxyMode', 'proxy_mode'),
    caAddress: settingOf(object, 'caAddress', 'ca_address'),
    secretTtlSeconds: typeof seconds === 'number' ? seconds : undefined,
    fakeCa: fieldOf(object, 'fakeCa', 'fake_ca') === true,
    xdsOnDemand: fieldOf(object, 'xdsOnDemand', 'xds_on_demand') === true,
    raw: keepRaw ? object : undefined,
  };
}

/** What the section `version` says; undefined where the build does not know. */
export interface DumpVersion {
  /** The release: `istioVersion`, else ztunnel's own `version`. */
  readonly version: string | undefined;
  readonly cryptoProvider: string | undefined;
}

/** Reads `version`. */
export function decodeVersion(value: Json): DumpVersion {
  const object = objectOf(value);
  const known = (text: string) => (text === '' || text === 'unknown' ? undefined : text);
  return {
    version: known(textOf(object, 'istioVersion', 'istio_version')) ?? known(textOf(object, 'version')),
    cryptoProvider: known(textOf(object, 'cryptoProvider', 'crypto_provider')),
  };
}
