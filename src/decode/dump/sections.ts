// The collections of a config dump: how the members of each are decoded, told apart and ordered.

import type { CapturedPod, CertificateEntry, Policy, Service, Workload } from '../../model/dump.ts';
import { createCertificateDecoder } from './certificate.ts';
import { decodePolicy } from './config.ts';
import { decodeCapturedPod } from './pod.ts';
import { createSection, type SectionCollector } from './section.ts';
import { createServiceDecoder, decodeVip } from './service.ts';
import { createWorkloadDecoder } from './workload.ts';

export interface DumpSections {
  readonly certificates: SectionCollector<CertificateEntry>;
  readonly workloads: SectionCollector<Workload>;
  readonly services: SectionCollector<Service>;
  readonly policies: SectionCollector<Policy>;
  readonly workloadState: SectionCollector<CapturedPod>;
}

/** Empty collectors for one dump. */
export function createSections(keepRaw: boolean, judged = false): DumpSections {
  const decodeCertificate = createCertificateDecoder(keepRaw, judged);
  const decodeService = createServiceDecoder(keepRaw);
  return {
    certificates: createSection({
      decode: decodeCertificate,
      identity: (entry) => entry.identity,
      order: (entry) => [entry.identity],
    }),
    workloads: createSection({
      decode: createWorkloadDecoder(keepRaw),
      identity: (workload) => workload.uid,
      order: (workload) => [
        workload.uid,
        workload.namespace,
        workload.name,
        workload.node,
        workload.addresses.join(),
      ],
    }),
    services: createSection({
      decode: (value, key, source) => (source === 'vips' ? decodeVip(value, key) : decodeService(value)),
      identity: (service) =>
        service.hostname === '' ? service.vips.join() : `${service.namespace}/${service.hostname}`,
      order: (service) => [service.namespace, service.name, service.hostname, service.vips.join()],
    }),
    policies: createSection({
      decode: (value) => decodePolicy(value, keepRaw),
      identity: (policy) => `${policy.namespace}/${policy.name}`,
      order: (policy) => [policy.namespace, policy.name],
    }),
    workloadState: createSection({
      decode: (value, key) => decodeCapturedPod(value, keepRaw, key),
      identity: (pod) => pod.uid,
      order: (pod) => [pod.uid],
    }),
  };
}
