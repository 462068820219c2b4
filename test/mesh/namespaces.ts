// The namespaces of a made-up mesh: their labels ask for what is captured, and pods that are not say so themselves.

import { object } from './manifest.ts';
import type { Manifest } from './resources.ts';

const MODE = 'istio.io/dataplane-mode';
const REDIRECTION = 'ambient.istio.io/redirection';

/** The pods with the labels that go with what became of them, and the namespaces that they are in. */
export function withNamespaces(
  pods: readonly Manifest[],
  at: string,
): { readonly pods: readonly Manifest[]; readonly namespaces: readonly Manifest[] } {
  const all = [...Map.groupBy(pods, ({ metadata }) => metadata.namespace ?? '')];
  const ambient = new Set(
    all.filter(([, members]) => members.some(isRedirected)).map(([namespace]) => namespace),
  );
  return {
    pods: pods.map((pod) =>
      ambient.has(pod.metadata.namespace ?? '') && !isRedirected(pod) ? withMode(pod) : pod,
    ),
    namespaces: all.map(([name]) => {
      const made = object({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name }, at, {});
      const labels = {
        'kubernetes.io/metadata.name': name,
        ...(ambient.has(name) && { [MODE]: 'ambient' }),
      };
      return { ...made, metadata: { ...made.metadata, labels } };
    }),
  };
}

function isRedirected({ metadata }: Manifest): boolean {
  return metadata.annotations?.[REDIRECTION] !== undefined;
}

/** What it says itself stays. */
function withMode(pod: Manifest): Manifest {
  const labels = { [MODE]: 'none', ...pod.metadata.labels };
  return { ...pod, metadata: { ...pod.metadata, labels } };
}
