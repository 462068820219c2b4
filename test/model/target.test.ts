// Tests of how TARGET is written.

import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../../src/base/errors.ts';
import { formatTarget, parseTarget, readingsOf } from '../../src/model/targets/target.ts';

describe('TARGET', () => {
  test.each([
    ['web-0', 'pod', 'web-0'],
    ['pod/web-0', 'pod', 'web-0'],
    ['po/web-0', 'pod', 'web-0'],
    ['pods/web-0', 'pod', 'web-0'],
    ['deployment/web', 'deployment', 'web'],
    ['deploy/web.shop', 'deployment', 'web.shop'],
    ['deployments/web', 'deployment', 'web'],
    ['Deployment/web', 'deployment', 'web'],
    ['statefulset/db', 'statefulset', 'db'],
    ['sts/db', 'statefulset', 'db'],
    ['daemonset/agent', 'daemonset', 'agent'],
    ['ds/agent', 'daemonset', 'agent'],
    ['job/load', 'job', 'load'],
    ['cronjob/nightly', 'cronjob', 'nightly'],
    ['cj/nightly', 'cronjob', 'nightly'],
    ['serviceaccount/web', 'serviceaccount', 'web'],
    ['sa/web', 'serviceaccount', 'web'],
    ['node/a.example.com', 'node', 'a.example.com'],
    ['no/a', 'node', 'a'],
    ['nodes/a', 'node', 'a'],
    ['serviceaccounts/web', 'serviceaccount', 'web'],
    ['deployment.apps/web', 'deployment', 'web'],
    ['deployments.apps/web.shop', 'deployment', 'web.shop'],
    ['deployments.v1.apps/web', 'deployment', 'web'],
    ['statefulset.apps/cart', 'statefulset', 'cart'],
    ['daemonsets.apps/agent', 'daemonset', 'agent'],
    ['job.batch/load', 'job', 'load'],
    ['cronjob.v1beta1.batch/nightly', 'cronjob', 'nightly'],
    ['spiffe://td.example/ns/shop/sa/web', 'identity', 'spiffe://td.example/ns/shop/sa/web'],
  ])('%s', (text, type, name) => {
    expect(parseTarget(text)).toEqual({ type, name });
  });

  test.each([
    ['rollout/web', 'TARGET has no type "rollout"'],
    ['/web', 'TARGET has no type ""'],
    ['deployment.batch/web', 'TARGET has no type "deployment.batch"'],
    ['deployment.v1/web', 'TARGET has no type "deployment.v1"'],
    ['deployment.apps.example/web', 'TARGET has no type "deployment.apps.example"'],
    ['pods.apps/web', 'TARGET has no type "pods.apps"'],
    ['pod./web', 'TARGET has no type "pod."'],
    ['__proto__/web', 'TARGET has no type "__proto__"'],
    ['constructor/web', 'TARGET has no type "constructor"'],
    ['deployment/', '"deployment/" names no deployment'],
    ['sa/a/b', '"sa/a/b" names no serviceaccount'],
    ['spiffe://td/ns/shop', '"spiffe://td/ns/shop" is no identity of a workload'],
    ['spiffe://td/ns/shop/sa/', '"spiffe://td/ns/shop/sa/" is no identity of a workload'],
  ])('%s is a usage error', (text, message) => {
    expect(() => parseTarget(text)).toThrow(UsageError);
    expect(() => parseTarget(text)).toThrow(message);
  });
});

describe('what a name can mean', () => {
  const whole = (name: string) => ({ name, namespace: undefined });
  test.each([
    ['web', [whole('web')]],
    ['web.shop', [whole('web.shop'), { name: 'web', namespace: 'shop' }]],
    ['a.b.c', [whole('a.b.c'), { name: 'a.b', namespace: 'c' }]],
    ['sa/web.shop', [whole('web.shop'), { name: 'web', namespace: 'shop' }]],
    ['.shop', [whole('.shop')]],
    ['web.', [whole('web.')]],
    ['node/a.b', [whole('a.b')]],
    ['spiffe://td.x/ns/a/sa/b.c', [whole('spiffe://td.x/ns/a/sa/b.c')]],
  ])('%s', (text, readings) => {
    expect(readingsOf(parseTarget(text))).toEqual(readings);
  });
});

test.each([
  ['pod', 'web-0', 'shop', 'web-0.shop'],
  ['deployment', 'web', 'shop', 'deployment/web.shop'],
  ['node', 'a', undefined, 'node/a'],
  ['identity', 'spiffe://td/ns/a/sa/b', undefined, 'spiffe://td/ns/a/sa/b'],
] as const)('a %s called %s in %s is written %s', (type, name, namespace, text) => {
  expect(formatTarget(type, name, namespace)).toBe(text);
});
