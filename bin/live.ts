// What asks a live cluster: apart from the rest, since client-node takes longer to load than a small dump to judge.

export { connectKube } from '../src/cluster/kube.ts';
export { loadKubeconfig } from '../src/cluster/kubeconfigfiles.ts';
