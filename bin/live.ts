// What asks a live cluster: apart from the rest, since client-node takes longer to load than a small dump to judge.

export { loadKubeconfig } from '../src/sources/kubeconfig/kubeconfigfiles.ts';
export { connectKube } from '../src/sources/kubernetes/kube.ts';
