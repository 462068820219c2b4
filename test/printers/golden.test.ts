// What every format looks like, on screens and with names that real clusters have.

import { describe, expect, test } from '@jest/globals';
import type { Screen, Table } from '../../src/printers/printer.ts';
import { expectGolden, listGoldens } from '../golden.ts';
import { certificates, certificatesOn, documentOf, PIPED, print, printTable, terminal } from './reports.ts';

const EKS = certificatesOn([
  'ip-10-0-134-23.eu-west-1.compute.internal',
  'ip-10-0-17-101.eu-west-1.compute.internal',
  'ip-10-0-201-7.eu-west-1.compute.internal',
]);
const AKS = certificatesOn([
  'aks-nodepool1-12345678-vmss000000',
  'aks-nodepool1-12345678-vmss000001',
  'aks-nodepool1-12345678-vmss00000a',
]);
const GKE = certificatesOn([
  'gke-cluster-1-default-pool-1a2b3c4d-abcd',
  'gke-cluster-1-default-pool-1a2b3c4d-efgh',
  'gke-production-europe-west4-high-memory-pool-9f8e7d6c-ijkl',
]);
const HOSTILE = certificates([
  [
    'OK',
    'shop/\x1b[31mred\x1b[0m',
    'node-\u202eb',
    'in 1h0m',
    'Deployment/a\nOK  shop/forged',
    '\x1b]0;title\x07 and \u009b2J',
  ],
  ['OK', 'shop/\u2028', 'node-\u0000a', 'in 1h0m', 'Deployment/\ud800', ''],
]);
const WIDE_CHARACTERS = certificates([
  [
    'OK',
    '商店/购物车',
    'node-a',
    'in 1h0m',
    'Deployment/购物车服务器部署名称很长很长很长',
    '证书签发失败，因为服务账户没有权限执行所请求的操作，请检查授权策略',
  ],
  ['OK', 'shop/cafe\u0301', 'node-b', 'in 1h0m', 'Deployment/👩‍💻', ''],
]);

const TABLES: Readonly<Record<string, readonly [Table, Screen, 'table' | 'wide']>> = {
  'certs-eks-80': [EKS, terminal(80), 'table'],
  'certs-eks-120': [EKS, terminal(120), 'table'],
  'certs-eks-120-wide': [EKS, terminal(120), 'wide'],
  'certs-eks-piped': [EKS, PIPED, 'table'],
  'certs-aks-80': [AKS, terminal(80), 'table'],
  'certs-aks-120': [AKS, terminal(120), 'table'],
  'certs-gke-80': [GKE, terminal(80), 'table'],
  'certs-gke-120': [GKE, terminal(120), 'table'],
  'certs-gke-piped-wide': [GKE, PIPED, 'wide'],
  'certs-gke-40': [GKE, terminal(40), 'table'],
  'certs-color-100': [EKS, { ...terminal(100), color: true }, 'table'],
  'certs-no-headers-80': [AKS, { ...terminal(80), headers: false }, 'table'],
  'hostile-80': [HOSTILE, terminal(80), 'table'],
  'hostile-piped': [HOSTILE, PIPED, 'table'],
  'wide-characters-60': [WIDE_CHARACTERS, terminal(60), 'table'],
  'wide-characters-piped': [WIDE_CHARACTERS, PIPED, 'table'],
};

const DOCUMENT = documentOf([
  {
    identity: 'spiffe://cluster.local/ns/shop/sa/cart',
    namespace: 'shop',
    node: null,
    notAfter: '2026-11-30T21:56:29Z',
    remainingSeconds: 86033,
    lifetimePercent: 0.5,
    trusted: true,
    version: '1.24',
    answer: 'no',
    chain: [{ pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' }],
    owners: [],
    raw: { state: 'Unavailable: \x1b[31m\u202e\u2028\u009b', weights: [[1, 2], [], {}] },
  },
]);

const OTHERS = {
  json: () => print('json', DOCUMENT),
  yaml: () => print('yaml', DOCUMENT),
  'json-empty': () => print('json', documentOf([])),
  'yaml-empty': () => print('yaml', documentOf([])),
  name: () =>
    print('name', { name: () => ['spiffe://cluster.local/ns/shop/sa/cart', 'spiffe://x/\nforged'] }),
  pem: () =>
    print('pem', { pem: () => ['# spiffe://td/ns/shop/sa/\x1b[2J', '-----BEGIN CERTIFICATE-----', 'MIIB'] }),
};

describe('goldens', () => {
  test.each(Object.entries(TABLES))('%s', async (name, [table, screen, format]) => {
    expectGolden('printers', name, await printTable(table, screen, format));
  });

  test.each(Object.entries(OTHERS))('%s', async (name, text) => {
    expectGolden('printers', name, await text());
  });

  test('none is left behind', () => {
    const cases = [...Object.keys(TABLES), ...Object.keys(OTHERS)];
    expect(listGoldens('printers')).toEqual(cases.sort((a, b) => (a < b ? -1 : 1)));
  });
});
