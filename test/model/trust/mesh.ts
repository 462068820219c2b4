// Moments of a real mesh as values: both ztunnels' dumps, pods, and who reached whom.

import { readdirSync, readFileSync } from 'node:fs';
import { joinCertificates } from '../../../src/model/certificates/certificates.ts';
import type { Pod } from '../../../src/model/kubernetes.ts';
import { readDump } from '../../decode/readdump.ts';
import { answer, inventory, listed, ztunnel } from '../values.ts';

const folder = new URL('../../testdata/mesh/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/** `abrupt/0-before`, … */
export const MOMENTS: readonly string[] = readdirSync(folder)
  .flatMap((series) => readdirSync(new URL(series, folder)).map((moment) => `${series}/${moment}`))
  .toSorted();

/** A captured pod, by `namespace/name`. */
export interface MomentPod {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly node: string;
}

/** One moment, judged at its time. */
export function readMoment(name: string) {
  const { at, reached } = JSON.parse(read(`${name}/observed.json`)) as {
    readonly at: string;
    readonly reached: Readonly<Record<string, boolean>>;
  };
  const list = JSON.parse(read(`${name}/pods.json`)) as { readonly items: readonly Pod[] };
  const pods = list.items.map((pod): Pod => ({ ...pod, apiVersion: 'v1', kind: 'Pod' }));
  const answers = ['node-a', 'node-b'].map((node) => ({
    ...answer(ztunnel(`ztunnel-${node}`, node)),
    dump: readDump(read(`${name}/${node}.config_dump.json`)),
  }));
  const reference = new Date(at);
  const joined = joinCertificates({
    answers,
    ztunnels: answers.map((each) => each.ztunnel),
    failures: [],
    inventory: inventory({ pods: listed(...pods) }),
    reference,
    source: 'files',
    warnWithin: { percent: 10 },
    evaluateMissing: true,
  });
  const captured = new Map(
    pods
      .filter(({ metadata }) => metadata.annotations !== undefined)
      .map(({ metadata, spec }): [string, MomentPod] => [
        `${metadata.namespace}/${metadata.name}`,
        {
          name: metadata.name,
          namespace: metadata.namespace!,
          serviceAccount: spec!.serviceAccountName!,
          node: spec!.nodeName!,
        },
      ]),
  );
  return { at: reference.getTime(), reached, answers, joined, pods: captured };
}
