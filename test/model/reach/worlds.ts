// The worlds that tests of reaching start from: recorded ones, read as the program reads them, and made ones.

import { readFileSync } from 'node:fs';
import { formatIdentity } from '../../../src/model/certificates/identity.ts';
import {
  type CapturedPod,
  type CertificateEntry,
  type Policy,
  SECTIONS,
  type Section,
  type Service,
  type Workload,
  type ZtunnelConfig,
} from '../../../src/model/dump.ts';
import { createVerification } from '../../../src/model/reach/chainverification.ts';
import type { Verification } from '../../../src/model/reach/verification.ts';
import { createReachWorld, type ReachWorld } from '../../../src/model/reach/world.ts';
import type { Answer, Failure } from '../../../src/model/types.ts';
import { readDump } from '../../decode/readdump.ts';
import { dump, entry, workload, ztunnel } from '../values.ts';

export const TESTDATA = new URL('../../testdata/', import.meta.url);

/** One dump of test/testdata, as the answer of a ztunnel of its own node. */
export function readAnswer(path: string): Answer {
  const dump = readDump(readFileSync(new URL(`${path}.config_dump.json`, TESTDATA)));
  const node = dump.config.localNode ?? '';
  return { ztunnel: ztunnel(`ztunnel-${node}`, node), dump };
}

export function worldOf(
  answers: readonly Answer[],
  at: number,
  values: { readonly failures?: readonly Failure[] } = {},
): ReachWorld {
  return createReachWorld({
    answers,
    failures: values.failures ?? [],
    at,
    verification: createVerification(at),
  });
}

/** Both nodes of a moment of the real mesh. */
export function readMoment(path: string, at: number): ReachWorld {
  return worldOf(
    ['node-a', 'node-b'].map((node) => readAnswer(`${path}/${node}`)),
    at,
  );
}

/** Takes every certificate that is listed as Available; entries of one state are of one class. */
export const TRUSTING: Verification = {
  stateOf: ({ state }) =>
    state === 'Available'
      ? { state: 'usable', until: AT + 3_600_000 }
      : { state: state === 'Initializing' ? 'unknown' : 'unusable', why: state },
  accepts: () => ({ accepted: true, root: 'abcdef0123456789' }),
  classOf: ({ state }) => state,
};

/** When made worlds are judged. */
export const AT = Date.parse('2026-11-30T21:45:00Z');

export interface MadeNode {
  /** What this node's ztunnel has otherwise than the others. */
  readonly workloads?: readonly Workload[];
  readonly services?: readonly Service[];
  readonly policies?: readonly Policy[];
  /** `namespace/name` of pods that it was never handed. */
  readonly lost?: readonly string[];
  readonly capturedPods?: readonly CapturedPod[];
  readonly certificates?: readonly CertificateEntry[];
  readonly config?: Partial<ZtunnelConfig>;
  readonly sections?: readonly Section[];
}

/**
 * A mesh whose ztunnels all know the same, as far as `nodes` does not say otherwise: each captures the HBONE pods of its
 * node, and lists their identities.
 */
export function makeWorld(
  mesh: {
    readonly workloads: readonly Workload[];
    readonly services?: readonly Service[];
    readonly policies?: readonly Policy[];
  },
  nodes: Readonly<Record<string, MadeNode>> = { 'node-a': {} },
  values: { readonly failures?: readonly Failure[]; readonly verification?: Verification } = {},
): ReachWorld {
  const answers = Object.entries(nodes).map(([node, own]): Answer => {
    const workloads = own.workloads ?? mesh.workloads;
    const mine = workloads.filter(
      (each) =>
        each.node === node && each.protocol === 'HBONE' && !each.nativeTunnel && each.uid.includes('//Pod/'),
    );
    const captured = mine.filter(({ namespace, name }) => !own.lost?.includes(`${namespace}/${name}`));
    const values = {
      workloads,
      services: own.services ?? mesh.services ?? [],
      policies: own.policies ?? mesh.policies ?? [],
      capturedPods: own.capturedPods ?? captured.map((each) => capturedPod(each)),
      certificates:
        own.certificates ?? mine.map((each) => entry({ identity: formatIdentity(each), state: 'Available' })),
      sections: new Set(own.sections ?? SECTIONS),
    };
    const made = dump({ ...values, node });
    return {
      ztunnel: ztunnel(`ztunnel-${node}`, node),
      dump: { ...made, config: { ...made.config, ...own.config } },
    };
  });
  return createReachWorld({
    answers,
    failures: values.failures ?? [],
    at: AT,
    verification: values.verification ?? TRUSTING,
  });
}

export function capturedPod(
  { namespace, name, serviceAccount }: Workload,
  values: Partial<CapturedPod> = {},
): CapturedPod {
  return {
    uid: `uid-of-${name}`,
    state: 'Up',
    namespace,
    name,
    serviceAccount,
    connections: { inbound: [], outbound: [] },
    raw: undefined,
    ...values,
  };
}

/** A pod of shop with an account of its own name. */
export function pod(name: string, address: string, values: Partial<Workload> = {}): Workload {
  return workload({
    name,
    serviceAccount: name,
    addresses: [address],
    ...values,
    uid: `Kubernetes//Pod/${values.namespace ?? 'shop'}/${name}`,
  });
}
