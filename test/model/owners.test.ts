// Who a pod belongs to, by its controller references.

import { expect, test } from '@jest/globals';
import { createOwnerLookup } from '../../src/model/owners/owners.ts';
import type { Inventory } from '../../src/model/types.ts';
import { controlledBy, forbidden, inventory, listed, object, pod, statefulSet } from './values.ts';

const known: Inventory = inventory({
  replicaSets: listed(
    object('apps/v1 ReplicaSet web-1', controlledBy('apps/v1 Deployment web')),
    object('apps/v1 ReplicaSet roll-1', controlledBy('argoproj.io/v1alpha1 Rollout roll')),
    object('apps/v1 ReplicaSet alone'),
    object('apps/v1 ReplicaSet watched', controlledBy('v1 ConfigMap watcher', false)),
    object('apps/v1 ReplicaSet loop', controlledBy('apps/v1 ReplicaSet loop')),
  ),
  jobs: listed(
    object('batch/v1 Job nightly-1', controlledBy('batch/v1 CronJob nightly')),
    object('batch/v1 Job once'),
    object('batch/v1 Job flow-1', controlledBy('argoproj.io/v1alpha1 Workflow flow')),
  ),
  statefulSets: listed(statefulSet('cart', 3, 2), statefulSet('bare'), statefulSet('zero', 0, 0)),
});

const hidden = inventory({ replicaSets: forbidden, jobs: forbidden, statefulSets: forbidden });

test.each([
  ['apps/v1 ReplicaSet web-1', known, 'Deployment/web', null, null],
  ['apps/v1 ReplicaSet roll-1', known, 'Rollout/roll', null, null],
  ['apps/v1 ReplicaSet alone', known, 'ReplicaSet/alone', null, null],
  ['apps/v1 ReplicaSet watched', known, 'ReplicaSet/watched', null, null],
  ['apps/v1 ReplicaSet gone', known, 'ReplicaSet/gone', null, null],
  ['apps/v1 ReplicaSet loop', known, 'ReplicaSet/loop', null, null],
  ['apps/v1 ReplicaSet web-1', hidden, 'ReplicaSet/web-1', null, null],
  ['example.com/v1 ReplicaSet web-1', known, 'ReplicaSet/web-1', null, null],
  ['batch/v1 Job nightly-1', known, 'CronJob/nightly', null, null],
  ['batch/v1 Job flow-1', known, 'Workflow/flow', null, null],
  ['batch/v1 Job once', known, 'Job/once', null, null],
  ['batch/v1 Job nightly-1', hidden, 'Job/nightly-1', null, null],
  ['apps/v1 StatefulSet cart', known, 'StatefulSet/cart', 2, 3],
  ['apps/v1 StatefulSet bare', known, 'StatefulSet/bare', 0, 1],
  ['apps/v1 StatefulSet zero', known, 'StatefulSet/zero', 0, 0],
  ['apps/v1 StatefulSet cart', hidden, 'StatefulSet/cart', null, null],
  ['apps.kruise.io/v1beta1 StatefulSet cart', known, 'StatefulSet/cart', null, null],
  ['apps/v1 DaemonSet agent', known, 'DaemonSet/agent', null, null],
  ['v1 Node node-a', known, 'Node/node-a', null, null],
  ['example.com/v1 Spaceship x', known, 'Spaceship/x', null, null],
])('%s', (reference, objects, expected, ready, desired) => {
  const owner = createOwnerLookup(objects)(pod({ owner: controlledBy(reference) }));
  expect(owner).toEqual({
    kind: expected.split('/')[0],
    namespace: 'shop',
    name: expected.split('/')[1],
    ready,
    desired,
  });
});

test.each([
  ['without references', undefined],
  ['whose references are no controllers', controlledBy('apps/v1 ReplicaSet web-1', false)],
])('a pod %s owns itself', (_name, owner) => {
  expect(createOwnerLookup(known)(pod({ owner }))).toMatchObject({
    kind: 'Pod',
    name: 'cart-0',
    ready: null,
  });
});

test('a namesake with another uid is not the owner', () => {
  const owner = { ...controlledBy('apps/v1 ReplicaSet web-1'), uid: 'of an earlier one' };
  expect(createOwnerLookup(known)(pod({ owner }))).toMatchObject({ kind: 'ReplicaSet', name: 'web-1' });
});

test('an object of another namespace is not the owner', () => {
  const elsewhere = pod({ namespace: 'data', owner: controlledBy('apps/v1 ReplicaSet web-1') });
  expect(createOwnerLookup(known)(elsewhere)).toMatchObject({ kind: 'ReplicaSet', namespace: 'data' });
});
