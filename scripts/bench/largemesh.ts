// A live mesh of any size, whose ztunnels all give dumps of the same size: what the benchmark asks.

import { gather } from '../../test/mesh/resources.ts';
import type { Scenario } from '../../test/mesh/scenario.ts';
import { daemonSet, deployment, node } from '../../test/mesh/workloads.ts';
import { growDump, MEDIUM, nodeName, serviceAccountName } from './inputs.ts';

/** One ztunnel and 30 pods a node, each pod of a Deployment of its own. */
export async function largeMesh(ztunnels: number, at: string): Promise<Scenario> {
  const nodes = Array.from({ length: ztunnels }, (_, index) => nodeName(index));
  const deployments = Array.from({ length: MEDIUM.perNode }, (_, index) => {
    const { namespace, name } = serviceAccountName(index);
    return deployment(`${namespace}/${name}`, { on: nodes });
  });
  const ztunnelPods = daemonSet('istio-system/ztunnel', {
    on: nodes,
    captured: false,
    serviceAccount: 'ztunnel',
    labels: { app: 'ztunnel' },
  });
  const objects = gather(
    [...nodes.map((name) => node(name)), ztunnelPods, ...deployments].map((part) => part(at)),
  );
  const dumpOn = dumpsOf(await growDump(MEDIUM, at));
  const asked = objects.pods.filter(({ metadata }) => metadata.labels?.app === 'ztunnel');
  return {
    ...objects,
    ztunnels: Object.fromEntries(
      asked.map(({ metadata, spec }) => [
        `${metadata.namespace}/${metadata.name}`,
        () => dumpOn(String(spec?.nodeName)),
      ]),
    ),
    clock: { offsetSeconds: 0 },
  };
}

/** The same dump as of another node. */
function dumpsOf(text: string): (name: string) => readonly Buffer[] {
  const key = '"localNode": "';
  const from = text.indexOf(key) + key.length;
  const before = Buffer.from(text.slice(0, from));
  const behind = Buffer.from(text.slice(text.indexOf('"', from)));
  return (name) => [before, Buffer.from(name), behind];
}
