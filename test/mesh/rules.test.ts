// The small rules of the embedded API server: what a selector matches, and which encoding an Accept header gets.

import { describe, expect, test } from '@jest/globals';
import { negotiate } from './accept.ts';
import { routeOf } from './routes.ts';
import { parseFieldSelector, parseLabelSelector } from './selectors.ts';

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web', 'example.com/tier': 'front' } },
  spec: { nodeName: 'node-a' },
};

describe('label selectors', () => {
  test.each([
    ['app=web', true],
    ['app==web', true],
    ['app=cart', false],
    ['app!=cart', true],
    ['app!=web', false],
    ['missing!=x', true],
    ['app in (cart, web)', true],
    ['app in (cart)', false],
    ['app notin (cart)', true],
    ['app notin (web,cart)', false],
    ['missing notin (x)', true],
    ['missing in (x)', false],
    ['example.com/tier', true],
    ['missing', false],
    ['!missing', true],
    ['!app', false],
    ['app=web,example.com/tier in (back,front)', true],
    ['app=web,example.com/tier in (back)', false],
  ])('%s: %s', (text, expected) => {
    expect(parseLabelSelector(text)(POD)).toBe(expected);
  });

  test.each(['=web', 'app in web', 'app in (', 'a b', ''])('"%s" can not be read', (text) => {
    expect(() => parseLabelSelector(text)).toThrow('unable to parse requirement');
  });
});

describe('field selectors', () => {
  test.each([
    ['spec.nodeName=node-a', true],
    ['spec.nodeName!=node-a', false],
    ['metadata.name==web,spec.nodeName=node-b', false],
  ])('%s: %s', (text, expected) => {
    expect(parseFieldSelector(text)(POD)).toBe(expected);
  });

  test('unknown fields are refused', () => {
    expect(() => parseFieldSelector('spec.colour=red')).toThrow(
      '"spec.colour" is not a known field selector',
    );
  });
});

describe('Accept', () => {
  const protobuf = { contentType: 'application/vnd.kubernetes.protobuf', partial: false };
  const json = { contentType: 'application/json', partial: false };
  const form = (as: string) => `as=${as};g=meta.k8s.io;v=v1`;
  test.each([
    [undefined, json],
    ['*/*', json],
    ['application/json', json],
    ['application/vnd.kubernetes.protobuf', protobuf],
    ['application/vnd.kubernetes.protobuf, application/json;q=0.5', protobuf],
    ['application/json;q=0.5, application/vnd.kubernetes.protobuf', protobuf],
    ['application/vnd.kubernetes.protobuf;q=0.1, application/json', json],
    [`application/json;${form('PartialObjectMetadataList')}`, { ...json, partial: true }],
    [
      `application/vnd.kubernetes.protobuf;${form('PartialObjectMetadataList')},application/json`,
      { ...protobuf, partial: true },
    ],
    [`application/json;${form('Table')},application/json`, json],
    [`application/json;${form('Table')}`, undefined],
    ['text/html', undefined],
  ])('%s', (accept, expected) => {
    expect(negotiate(accept)).toEqual(expected);
  });
});

describe('paths', () => {
  test.each([
    ['/api/v1/pods', { verb: 'list', resource: 'pods' }],
    [
      '/api/v1/namespaces/a/pods/b/portforward',
      { verb: 'get', namespace: 'a', name: 'b', subresource: 'portforward' },
    ],
    ['/apis/batch/v1/namespaces/a/jobs/b', { verb: 'get', resource: 'jobs', namespace: 'a', name: 'b' }],
    ['/apis/apps/v1beta1/statefulsets', undefined],
    ['/apis/batch/v1/pods', undefined],
    ['/api/v1/constructor', undefined],
  ])('%s', (path, expected) => {
    const route = routeOf(path);
    if (expected === undefined) expect(route).toBeUndefined();
    else expect(route).toMatchObject(expected);
  });
});
