// How a connection begins: who it is from, and whether it goes by a ztunnel.

import type { Workload } from '../dump.ts';
import type { Address } from '../policies/addresses.ts';
import { enrolmentOf } from './enrolment.ts';
import type { ReachFact } from './facts.ts';
import { type Client, factOfFailure, nameOf, type Step } from './inbound.ts';
import type { ReachView } from './view.ts';
import type { ReachWorld } from './world.ts';

export type ReachSource =
  | { readonly kind: 'workload'; readonly workload: Workload }
  /** The kubelet of a node, probing its pods. */
  | { readonly kind: 'kubelet'; readonly node: string }
  /** A client that is no workload of the mesh. */
  | { readonly kind: 'outsider'; readonly address: Address };

/** How a connection of the source begins. */
export type Start =
  | {
      readonly way: 'ztunnel';
      readonly steps: readonly Step[];
      readonly client: Client;
      readonly view: ReachView;
    }
  | { readonly way: 'plain'; readonly steps: readonly Step[]; readonly client: Client }
  | { readonly way: 'kubelet'; readonly steps: readonly Step[] }
  | { readonly way: 'none'; readonly steps: readonly Step[] };

const PLAIN = { view: undefined, identity: undefined, hasOwnProxy: false } as const;

export function beginAt(world: ReachWorld, source: ReachSource): Start {
  const capture = (result: Step['result'], fact: ReachFact): readonly Step[] => [
    { step: 'capture', result, fact },
  ];
  if (source.kind === 'kubelet') {
    return { way: 'kubelet', steps: capture('ok', { fact: 'kubelet', node: source.node }) };
  }
  if (source.kind === 'outsider') {
    const { address } = source;
    const steps = capture('ok', { fact: 'outsider', address: address.text });
    return { way: 'plain', steps, client: { ...PLAIN, workload: undefined, address } };
  }
  const { workload } = source;
  const name = nameOf(workload);
  const there = enrolmentOf(world, workload);
  if (there.state === 'captured') {
    const { view, workload: own, pod } = there;
    const ztunnel = view.ref.name;
    const fact: ReachFact = pod
      ? { fact: 'captured', workload: name, ztunnel, node: view.ref.node ?? '' }
      : { fact: 'takenForCaptured', workload: name, ztunnel };
    const client = { workload: own, view, identity: own, address: undefined, hasOwnProxy: false };
    return { way: 'ztunnel', steps: capture('ok', fact), client, view };
  }
  if (there.state === 'notCaptured' || there.state === 'hostNetwork') {
    const steps = capture('ok', { fact: there.state, workload: name });
    return { way: 'plain', steps, client: { ...PLAIN, workload, address: undefined } };
  }
  if (there.state === 'ownProxy') {
    const steps = capture('unknown', { fact: 'ownProxy', workload: name });
    const client = { ...PLAIN, workload, identity: workload, address: undefined, hasOwnProxy: true };
    return { way: 'plain', steps, client };
  }
  const failure = factOfFailure(there, workload);
  if (failure !== undefined) return { way: 'none', steps: capture('refused', failure) };
  const why = there.state === 'unknown' ? there.why : '';
  return { way: 'none', steps: capture('unknown', { fact: 'captureUnknown', workload: name, why }) };
}
