// Which addresses and ports a destination is asked for by: a workload's, those of a service, or one as it stands.

import type { Service, Workload } from '../dump.ts';
import { type Address, parseAddress } from '../policies/addresses.ts';
import type { Target } from './outbound.ts';
import type { ReachSource } from './start.ts';
import { splitNetwork } from './view.ts';
import type { ReachWorld } from './world.ts';

export type Destination =
  /** `port` undefined: those of the services that it is behind, if there are any. */
  | { readonly kind: 'workload'; readonly workload: Workload; readonly port: number | undefined }
  /** `port` undefined: each of its ports. */
  | { readonly kind: 'service'; readonly service: Service; readonly port: number | undefined }
  | { readonly kind: 'address'; readonly address: Address; readonly port: number | undefined };

/** Every target, each once; of families that the source has no address of, none, unless there are no others. */
export function listTargets(
  world: ReachWorld,
  source: ReachSource,
  destination: Destination,
): readonly Target[] {
  if (destination.kind === 'address') {
    return [{ address: destination.address, port: destination.port }];
  }
  const { addresses, ports } =
    destination.kind === 'workload'
      ? listOfWorkload(world, destination.workload, destination.port)
      : listOfService(world, source, destination.service, destination.port);
  return ofFamilies(source, addresses).flatMap((address) => ports.map((port) => ({ address, port })));
}

interface Asked {
  readonly addresses: readonly Address[];
  readonly ports: readonly (number | undefined)[];
}

function parseAll(texts: readonly string[]): readonly Address[] {
  return texts.flatMap((text) => parseAddress(text) ?? []);
}

function listOfWorkload(world: ReachWorld, workload: Workload, port: number | undefined): Asked {
  const addresses = parseAll(workload.addresses);
  if (port !== undefined) return { addresses, ports: [port] };
  const ports = new Set(world.listPorts(workload));
  return { addresses, ports: ports.size === 0 ? [undefined] : [...ports].sort((a, b) => a - b) };
}

function listOfService(
  world: ReachWorld,
  source: ReachSource,
  service: Service,
  port: number | undefined,
): Asked {
  const ports = port === undefined ? service.ports.map((each) => each.port) : [port];
  const network = source.kind === 'workload' ? source.workload.network : (world.views[0]?.network ?? '');
  const near = service.vips.map(splitNetwork).filter((vip) => vip.network === network);
  if (near.length > 0) return { addresses: parseAll(near.map(({ address }) => address)), ports };
  const ranges = service.cidrVips.map(splitNetwork).filter((vip) => vip.network === network);
  // Any address of a range says the same; its first one is as good as another.
  if (ranges.length > 0)
    return { addresses: parseAll(ranges.map(({ address }) => address.replace(/\/.*/, ''))), ports };
  // Without an address of its own, its name gives those of its endpoints, at the very port.
  const endpoints = service.endpoints.flatMap(
    ({ workloadUid }) => world.findByUid(workloadUid)?.addresses ?? [],
  );
  return { addresses: parseAll([...new Set(endpoints)]), ports };
}

function ofFamilies(source: ReachSource, addresses: readonly Address[]): readonly Address[] {
  const own = source.kind === 'workload' ? parseAll(source.workload.addresses) : [];
  const sizes = new Set(own.map(({ bytes }) => bytes.length));
  const fitting = addresses.filter(({ bytes }) => sizes.has(bytes.length));
  return fitting.length > 0 ? fitting : addresses;
}
