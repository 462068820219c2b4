// What istiod says of a pod: as its own node's ztunnel has heard it, or else one that lacks nothing.

import { once } from '../../base/cache.ts';
import type { Workload } from '../dump.ts';
import type { Pod } from '../kubernetes.ts';
import type { Answer } from '../types.ts';
import { nodeOf } from '../ztunnels/ztunnels.ts';
import type { Said } from './compare.ts';
import { type Heard, isLocalPod } from './heard.ts';

export type SaidOf = (pod: {
  readonly node: string;
  readonly namespace: string;
  readonly name: string;
}) => Said;

/** `untold`: the pods that istiod tells nobody of, so that a ztunnel without them need not be behind. */
export function createSaidLookup(
  answers: readonly Answer[],
  heard: readonly Heard[],
  untold: ReadonlySet<Pod>,
): SaidOf {
  const whole = answers.filter(({ dump }) => dump.sections.has('workloads'));
  const own = new Map(
    whole.map((answer) => [nodeOf(answer) ?? '', { answer, byName: once(() => indexOwn(answer)) }]),
  );
  const informed = heard.find(
    ({ answer, missing, outdated }) =>
      !answer.dump.config.xdsOnDemand && outdated.length === 0 && missing.every((pod) => untold.has(pod)),
  );
  const byName = once(() => (informed === undefined ? new Map() : indexAll(informed.answer)));
  return ({ node, namespace, name }) => {
    const key = `${namespace}/${name}`;
    const itself = own.get(node);
    if (itself !== undefined) return { known: true, workload: itself.byName().get(key), by: itself.answer };
    return informed === undefined
      ? { known: false }
      : { known: true, workload: byName().get(key), by: informed.answer };
  };
}

/** A dump may hold 100,000 workloads, of which those of its own node and what it has taken over are asked for. */
function indexOwn(answer: Answer): ReadonlyMap<string, Workload> {
  const node = nodeOf(answer);
  const entries = new Set(
    answer.dump.capturedPods.map(({ namespace = '', name = '' }) => `${namespace}/${name}`),
  );
  const byName = new Map<string, Workload>();
  for (const workload of answer.dump.workloads) {
    const key = `${workload.namespace}/${workload.name}`;
    if ((workload.node === node || entries.has(key)) && isLocalPod(workload, answer)) {
      byName.set(key, workload);
    }
  }
  return byName;
}

function indexAll(answer: Answer): ReadonlyMap<string, Workload> {
  return new Map(
    answer.dump.workloads
      .filter((workload) => isLocalPod(workload, answer))
      .map((workload) => [`${workload.namespace}/${workload.name}`, workload]),
  );
}
