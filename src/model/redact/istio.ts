// What is left of Istio's objects when they are redacted: whom clients accept, under other names.

import type { ClientTls, DestinationRule, KubeObject, ServiceEntry, TrafficPolicy } from '../kubernetes.ts';
import { redactLabels } from './labels.ts';
import type { Names } from './names.ts';

export function redactServiceEntry(
  { spec }: ServiceEntry,
  names: Names,
): Omit<ServiceEntry, keyof KubeObject> {
  const { hosts, subjectAltNames } = spec ?? {};
  return {
    spec: {
      ...(hosts && { hosts: hosts.map(names.path) }),
      ...(subjectAltNames && { subjectAltNames: subjectAltNames.map(names.path) }),
    },
  };
}

export function redactDestinationRule(
  { spec }: DestinationRule,
  names: Names,
): Omit<DestinationRule, keyof KubeObject> {
  const { host, trafficPolicy, subsets } = spec ?? {};
  return {
    spec: {
      ...(host !== undefined && { host: names.path(host) }),
      ...(trafficPolicy && { trafficPolicy: redactPolicyOf(trafficPolicy, names) }),
      ...(subsets && {
        subsets: subsets.map(({ name, labels, trafficPolicy: own }) => ({
          ...(name !== undefined && { name: names.name(name) }),
          ...(labels && { labels: redactLabels(labels, names) }),
          ...(own && { trafficPolicy: redactPolicyOf(own, names) }),
        })),
      }),
    },
  };
}

function redactPolicyOf({ tls, portLevelSettings }: TrafficPolicy, names: Names): TrafficPolicy {
  return {
    ...(tls && { tls: redactTls(tls, names) }),
    ...(portLevelSettings && {
      portLevelSettings: portLevelSettings.map(({ port, tls: own }) => ({
        ...(port?.number !== undefined && { port: { number: port.number } }),
        ...(own && { tls: redactTls(own, names) }),
      })),
    }),
  };
}

function redactTls({ mode, subjectAltNames }: ClientTls, names: Names): ClientTls {
  return {
    ...(mode !== undefined && { mode: /^[A-Z_]{1,24}$/.test(mode) ? mode : '' }),
    ...(subjectAltNames && { subjectAltNames: subjectAltNames.map(names.path) }),
  };
}
