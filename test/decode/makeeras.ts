// How each older ztunnel would have sent the dump of a current one: `node test/decode/makeeras.ts` writes the fixtures.

import { readFileSync, writeFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: JSON of known shape, taken apart freely
type Any = any;
type Pairs = readonly (readonly [string, Any])[];

/** The capture that all fixtures are made from: it has every state and captured pods with connections. */
export const CAPTURE = new URL('../testdata/dumps/node-a-connections.config_dump.json', import.meta.url);
export const ERAS = new URL('../testdata/eras/', import.meta.url);

/** An object's text from pairs, so that a key may stand twice. */
const write = (pairs: Pairs): string =>
  `{\n${pairs.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value, null, 2).replace(/\n/g, '\n  ')}`).join(',\n')}\n}\n`;

const omit = (object: Any, ...names: string[]): Any =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const mapBy = (items: Any[], key: (item: Any) => string | string[]): Any =>
  Object.fromEntries(items.flatMap((item) => [key(item)].flat().map((name) => [name, item])));

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const snakeKeys = (object: Any): Any =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [snake(name), value]));

const sorted = (object: Any): Pairs => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));

const networkAddress = (workload: Any): string[] =>
  (workload.workloadIps ?? []).map((address: string) => `${workload.network ?? ''}/${address}`);

/** Before 1.24.6: the root ends the chain, and there is no `rootCerts`. */
const rootInChain = (entry: Any): Any => ({
  certChain: [...entry.certChain, ...entry.rootCerts.slice(0, 1)],
  identity: entry.identity,
  state: entry.state,
});

/** Until 1.21: the leaf is called `ca_cert`, and names are in snake_case; until 1.20, PEM is not wrapped in base64. */
const leafApart =
  (unwrap: boolean) =>
  (entry: Any): Any => {
    const chain = rootInChain(entry).certChain.map((certificate: Any) => ({
      pem: unwrap ? Buffer.from(certificate.pem, 'base64').toString() : certificate.pem,
      serial_number: certificate.serialNumber,
      valid_from: certificate.validFrom,
      expiration_time: certificate.expirationTime,
    }));
    return {
      identity: entry.identity,
      state: entry.state,
      ca_cert: chain.slice(0, 1),
      cert_chain: chain.slice(1),
    };
  };

/** Before 1.24: neither network mode nor services on a workload, nor a capacity. */
const olderWorkload = (workload: Any): Any => omit(workload, 'networkMode', 'services', 'capacity');

/** Before 1.24: endpoints by `uid:network/ip`, with service and address. */
const olderService =
  (dump: Any) =>
  (service: Any): Any => ({
    ...omit(service, 'canonical', 'visibility'),
    endpoints: Object.fromEntries(
      Object.values<Any>(service.endpoints).map((endpoint) => {
        const workload = dump.workloads.find((candidate: Any) => candidate.uid === endpoint.workloadUid);
        const [address] = networkAddress(workload);
        const fields = {
          workloadUid: endpoint.workloadUid,
          service: `${service.namespace}/${service.hostname}`,
        };
        return [`${endpoint.workloadUid}:${address}`, { ...fields, address, port: endpoint.port }];
      }),
    ),
  });

const olderPolicy = (policy: Any): Any => omit(policy, 'dryRun');
/** Until 1.21: the kinds of a match are in snake_case. */
const oldestPolicy = (policy: Any): Any => ({
  ...olderPolicy(policy),
  rules: policy.rules.map((rule: Any) => rule.map((clause: Any) => clause.map(snakeKeys))),
});
const policyKey = (policy: Any): string => `${policy.namespace}/${policy.name}`;

const camelVersion = (dump: Any, istioVersion: string): Any => ({
  ...omit(dump.version, 'cryptoProvider'),
  gitTag: istioVersion,
  istioVersion,
});
const snakeVersion = (dump: Any, version: string): Any => ({
  version,
  ...snakeKeys(omit(dump.version, 'cryptoProvider', 'istioVersion', 'version')),
  git_tag: version,
});

/** 1.18: everything by address, one address a workload, services without names. */
function ztunnel118(dump: Any): string {
  const workloads = dump.workloads.map((workload: Any) => {
    const { workloadIps, nativeTunnel, ...rest } = omit(
      olderWorkload(workload),
      'uid',
      'network',
      'waypoint',
    );
    return { workloadIp: workloadIps[0], ...rest, nativeHbone: nativeTunnel ?? false };
  });
  const vips = dump.services.map((service: Any) => [
    `${service.vips[0].split('/')[1]}:80`,
    Object.values<Any>(service.endpoints).map((endpoint) => {
      const workload = dump.workloads.find((candidate: Any) => candidate.uid === endpoint.workloadUid);
      return [workload.workloadIps[0], 8080];
    }),
  ]);
  return write([
    ['workloads', mapBy(workloads, (workload) => workload.workloadIp)],
    ['workload_to_vip', {}],
    ['vips', Object.fromEntries(vips)],
    ['policies', mapBy(dump.policies.map(oldestPolicy), policyKey)],
    ['policies_by_namespace', { shop: ['shop/deny-9999'] }],
    ['proxy_mode', 'Shared'],
    ['local_node', 'node-a'],
    ['static_config', { workloads: [], policies: [] }],
    ['version', snakeVersion(dump, '1.18.0')],
    ['config', snakeKeys(dump.config)],
    ['certificates', dump.certificates.map(leafApart(true))],
  ]);
}

/** 1.19–1.21: each store's maps side by side, `by_hostname` once for workloads and once for resolved names. */
const stores =
  (version: string, unwrap: boolean) =>
  (dump: Any): string => {
    const workloads = dump.workloads.map(olderWorkload).map((workload: Any) => omit(workload, 'waypoint'));
    const services = dump.services.map(olderService(dump)).map((service: Any) => omit(service, 'waypoint'));
    const named = workloads.filter((workload: Any) => workload.hostname !== undefined);
    return write([
      ['by_addr', mapBy(workloads, networkAddress)],
      ['by_uid', mapBy(workloads, (workload) => workload.uid)],
      ['by_hostname', mapBy(named, (workload) => workload.hostname)],
      ['staged_services', {}],
      ['workload_to_services', {}],
      ['by_vip', mapBy(services, (service) => service.vips)],
      ['by_host', Object.fromEntries(services.map((service: Any) => [service.hostname, [service]]))],
      ['by_key', mapBy(dump.policies.map(oldestPolicy), policyKey)],
      ['by_namespace', { shop: ['shop/deny-9999'] }],
      ['by_hostname', { 'external.example': { hostname: 'external.example', ips: ['198.51.100.7'] } }],
      ['static_config', { workloads: [], policies: [] }],
      ['version', snakeVersion(dump, version)],
      ['config', snakeKeys(dump.config)],
      ['certificates', dump.certificates.map(leafApart(unwrap))],
    ]);
  };

/** 1.22: maps by address under today's names; `info` of captured pods came during its life, as did servicesByHostname. */
const maps =
  (version: string, later: boolean) =>
  (dump: Any): string => {
    const services = dump.services.map(olderService(dump));
    const byHostname = Object.fromEntries(services.map((service: Any) => [service.hostname, [service]]));
    const captured = Object.entries<Any>(dump.workloadState).map(([uid, { state, connections, info }]) => [
      uid,
      later ? { connections, info: { ...info, trustDomain: 'cluster.local' }, state } : { state },
    ]);
    return write(
      sorted({
        certificates: dump.certificates.map(rootInChain),
        config: dump.config,
        policies: mapBy(dump.policies.map(olderPolicy), policyKey),
        services: mapBy(services, (service) => service.vips),
        ...(later ? { servicesByHostname: byHostname } : {}),
        stagedServices: {},
        staticConfig: { policies: [], services: [], workloads: [] },
        version: camelVersion(dump, version),
        workloadState: Object.fromEntries(captured),
        workloads: mapBy(dump.workloads.map(olderWorkload), networkAddress),
      }),
    );
  };

/** 1.23: lists. */
function ztunnel123(dump: Any): string {
  return write(
    sorted({
      ...omit(dump, 'certificates'),
      certificates: dump.certificates.map(rootInChain),
      policies: dump.policies.map(olderPolicy),
      services: dump.services.map(olderService(dump)),
      staticConfig: { policies: [], services: [], workloads: [] },
      version: camelVersion(dump, '1.23.0'),
      workloads: dump.workloads.map(olderWorkload),
    }),
  );
}

/** 1.24.0–1.24.5: `services` on a workload, endpoints as today, the root still in the chain. */
function ztunnel124(dump: Any): string {
  const workloads = dump.workloads.map((workload: Any) => {
    const services = dump.services
      .filter((service: Any) => service.endpoints[workload.uid] !== undefined)
      .map((service: Any) => `${service.namespace}/${service.hostname}`);
    return { ...omit(workload, 'capacity'), ...(services.length > 0 ? { services } : {}) };
  });
  return write(
    sorted({
      ...dump,
      certificates: dump.certificates.map(rootInChain),
      policies: dump.policies.map(olderPolicy),
      services: dump.services.map((service: Any) => omit(service, 'canonical', 'visibility')),
      staticConfig: { policies: [], services: [], workloads: [] },
      version: camelVersion(dump, '1.24.0'),
      workloads,
    }),
  );
}

/** 1.24.6, 1.25.3 and 1.26+: `rootCerts`. */
function current(dump: Any): string {
  return write(sorted({ ...dump, staticConfig: { policies: [], services: [], workloads: [] } }));
}

/** The text of each fixture, by its name without `.config_dump.json`. */
export const MAKERS = {
  current,
  'ztunnel-1.18': ztunnel118,
  'ztunnel-1.20': stores('1.20.0', true),
  'ztunnel-1.21': stores('1.21.0', false),
  'ztunnel-1.22.0': maps('1.22.0', false),
  'ztunnel-1.22.1': maps('1.22.1', true),
  'ztunnel-1.23': ztunnel123,
  'ztunnel-1.24': ztunnel124,
} satisfies Record<string, (dump: Any) => string>;

if (import.meta.main) {
  const dump = JSON.parse(readFileSync(CAPTURE, 'utf8'));
  for (const [name, make] of Object.entries(MAKERS)) {
    writeFileSync(new URL(`${name}.config_dump.json`, ERAS), make(dump));
  }
}
