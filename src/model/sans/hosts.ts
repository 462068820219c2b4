// Which services the host of a DestinationRule means, and which of several rules counts for a service.

import type { Service } from '../dump.ts';
import type { DestinationRule } from '../kubernetes.ts';

/** Finds services by a rule's host. */
export type HostLookup = (host: string, namespace: string) => readonly Service[];

export function isWildcard(host: string): boolean {
  return host.startsWith('*');
}

/** `*.example.com` and `*` by their ending; a name without dots is a service of the rule's namespace; else whole. */
function createHostLookup(services: readonly Service[]): HostLookup {
  const byHost = Map.groupBy(services, ({ hostname }) => hostname.toLowerCase());
  const byShortName = Map.groupBy(
    services.filter(isOfKubernetes),
    ({ hostname, namespace }) => `${namespace}/${hostname.split('.', 1)[0]}`,
  );
  return (given, namespace) => {
    const host = given.toLowerCase();
    if (isWildcard(host)) {
      return services.filter(({ hostname }) => hostname.toLowerCase().endsWith(host.slice(1)));
    }
    return (host.includes('.') ? byHost.get(host) : byShortName.get(`${namespace}/${host}`)) ?? [];
  };
}

/** `NAME.NAMESPACE.svc.DOMAIN`, whatever the cluster's domain. */
function isOfKubernetes({ hostname, namespace }: Service): boolean {
  return hostname.split('.').slice(1, 3).join('.') === `${namespace}.svc`;
}

export interface BoundRule {
  readonly rule: DestinationRule;
  /** Empty where its host is none of the mesh. */
  readonly services: readonly Service[];
}

/** The rules, each with the services for which no rule of its own namespace has a more specific host. */
export function bindRules(
  rules: readonly DestinationRule[],
  services: readonly Service[],
): readonly BoundRule[] {
  const servicesOf = createHostLookup(services);
  const found = rules.map((rule) => ({
    rule,
    services: servicesOf(rule.spec?.host ?? '', rule.metadata.namespace ?? ''),
  }));
  const best = new Map<string | undefined, Map<Service, number>>();
  for (const { rule, services: bound } of found) {
    const ranks = best.get(rule.metadata.namespace) ?? new Map<Service, number>();
    best.set(rule.metadata.namespace, ranks);
    for (const service of bound) ranks.set(service, Math.max(ranks.get(service) ?? 0, rankOf(rule)));
  }
  return found.flatMap(({ rule, services: bound }) => {
    const ranks = best.get(rule.metadata.namespace);
    const kept = bound.filter((service) => ranks?.get(service) === rankOf(rule));
    // One that others outdo everywhere binds nobody.
    return bound.length > 0 && kept.length === 0 ? [] : [{ rule, services: kept }];
  });
}

/** A whole name before any wildcard, a longer wildcard before a shorter one. */
function rankOf({ spec }: DestinationRule): number {
  const host = spec?.host ?? '';
  return isWildcard(host) ? host.length : Number.MAX_SAFE_INTEGER;
}
