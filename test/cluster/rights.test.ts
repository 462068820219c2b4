// Tests of the ClusterRole that is offered where rights are missing.

import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { clusterRole } from '../../src/sources/kubernetes/resources.ts';

test('it grants what the lists and port-forwards need, and nothing else', () => {
  expect(load(clusterRole())).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'kubectl-ztunnel' },
    rules: [
      { apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['list'] },
      { apiGroups: ['apps'], resources: ['replicasets', 'statefulsets'], verbs: ['list'] },
      { apiGroups: ['batch'], resources: ['jobs'], verbs: ['list'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['list'] },
      {
        apiGroups: ['networking.istio.io'],
        resources: ['serviceentries', 'destinationrules'],
        verbs: ['list'],
      },
      { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] },
    ],
  });
});
