// Where a connection goes that passes no ztunnel on its way out.

import type { Workload } from '../dump.ts';
import { chooseAddress, chooseEndpoints } from './endpoints.ts';
import { findMeant, type Plan, type Target } from './outbound.ts';
import type { ReachView } from './view.ts';

/**
 * Where a connection goes that passes no ztunnel on its way out: to the pod of the address, or by kube-proxy to any pod
 * of the service. undefined for an address that `view` does not know: it leaves the mesh.
 */
export function planPlain(view: ReachView, source: Workload | undefined, target: Target): Plan {
  const network = source?.network ?? view.network;
  const meant = findMeant(view, source ?? UNKNOWN_WORKLOAD, target.address);
  const workload = view.workloadAt(network, target.address.text);
  if (workload !== undefined) {
    const address = chooseAddress(workload, target.address);
    const hops = [{ workload, address, port: target.port, gateway: undefined }];
    return { way: 'direct', meant, hops, choice: undefined };
  }
  if (meant.what !== 'service') return { way: 'passthrough', meant };
  if (target.port === undefined) return { way: 'none', meant, why: 'noPort', choice: undefined };
  // kube-proxy does not know of ztunnel's wishes for load balancing, nor of other networks.
  const service = { ...meant.service, loadBalancer: undefined };
  const choice = chooseEndpoints({
    view,
    source: source ?? UNKNOWN_WORKLOAD,
    service,
    port: target.port,
    target: target.address,
  });
  const hops = choice.candidates
    .filter((each) => each.workload.network === network)
    .map((each) => ({ ...each, gateway: undefined }));
  if (!choice.hasPort) return { way: 'none', meant, why: 'noPort', choice };
  if (hops.length === 0) return { way: 'none', meant, why: 'noEndpoint', choice };
  return { way: 'direct', meant, hops, choice };
}

/** Stands for a client outside of the mesh, and has nothing of what ztunnels know of workloads. */
export const UNKNOWN_WORKLOAD: Workload = {
  uid: '',
  name: '',
  namespace: '',
  serviceAccount: '',
  trustDomain: '',
  addresses: [],
  hostname: '',
  protocol: 'TCP',
  networkMode: '',
  nativeTunnel: false,
  node: '',
  network: '',
  clusterId: '',
  status: '',
  waypoint: undefined,
  networkGateway: undefined,
  applicationTunnel: undefined,
  locality: undefined,
  capacity: 1,
  authorizationPolicies: [],
  services: [],
  raw: undefined,
};
