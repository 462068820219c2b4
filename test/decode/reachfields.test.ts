// What decoding makes of the fields that decide about connections: gateways, tunnels, places, policies, load balancing.

import { expect, test } from '@jest/globals';
import { readDump } from './readdump.ts';

const WORKLOAD = {
  uid: 'Kubernetes//Pod/shop/web',
  name: 'web',
  namespace: 'shop',
  workloadIps: ['10.0.0.1'],
};
const SERVICE = {
  name: 'web',
  namespace: 'shop',
  hostname: 'web.shop.svc',
  vips: ['/10.96.0.1'],
  ports: { 80: 8080 },
};

test('a workload says its gateway, tunnel, place, weight and policies', () => {
  const { workloads } = readDump({
    workloads: [
      {
        ...WORKLOAD,
        networkGateway: { destination: 'west/1.2.3.4', hboneMtlsPort: 15008 },
        applicationTunnel: { protocol: 'PROXY', port: 15088 },
        locality: { region: 'r', zone: 'z' },
        capacity: 0,
        authorizationPolicies: ['shop/one', 'shop/two'],
      },
      { ...WORKLOAD, uid: 'other', applicationTunnel: { protocol: 'NONE', port: null } },
    ],
  });
  expect(workloads).toMatchObject([
    {
      networkGateway: { destination: 'west/1.2.3.4', port: 15008 },
      applicationTunnel: { protocol: 'PROXY', port: 15088 },
      locality: { region: 'r', zone: 'z', subzone: '' },
      capacity: 0,
      authorizationPolicies: ['shop/one', 'shop/two'],
    },
    {
      networkGateway: undefined,
      applicationTunnel: { protocol: 'NONE', port: undefined },
      locality: undefined,
      capacity: 1,
      authorizationPolicies: [],
    },
  ]);
});

test('a service says its ranges, waypoints, load balancing, and the ports of each endpoint', () => {
  const { services } = readDump({
    services: [
      {
        ...SERVICE,
        cidrVips: [{ network: 'west', cidr: '10.97.0.0/16' }],
        endpoints: { a: { workloadUid: 'a', port: { 81: 9090, 80: 8080 }, status: 'Healthy' }, b: {} },
        weightedWaypoints: [
          { destination: { destination: 'shop/waypoint.shop.svc', hboneMtlsPort: 15008 }, weight: 90 },
        ],
        loadBalancer: { routingPreferences: ['Network', 'Zone'], mode: 'Failover', healthPolicy: 'AllowAll' },
        ipFamilies: 'Dual',
        canonical: true,
        visibility: 'Namespace',
      },
    ],
  });
  expect(services).toMatchObject([
    {
      cidrVips: ['west/10.97.0.0/16'],
      endpoints: [
        {
          workloadUid: 'a',
          status: 'Healthy',
          ports: [
            { port: 80, targetPort: 8080 },
            { port: 81, targetPort: 9090 },
          ],
        },
        { workloadUid: 'b', status: '', ports: [] },
      ],
      weightedWaypoints: [{ waypoint: { destination: 'shop/waypoint.shop.svc', port: 15008 }, weight: 90 }],
      loadBalancer: { preferences: ['Network', 'Zone'], mode: 'Failover', healthPolicy: 'AllowAll' },
      ipFamilies: 'Dual',
      canonical: true,
      visibility: 'Namespace',
    },
  ]);
});

test.each([
  ['networkGateway', 'west', 'networkGateway is text, where an object was expected'],
  ['applicationTunnel', 5, 'applicationTunnel is a number, where an object was expected'],
  ['locality', { region: 5 }, 'locality.region is a number, where text was expected'],
  ['authorizationPolicies', [1], 'authorizationPolicies[0] is a number, where text was expected'],
])('a workload with a wrong %s is a problem that names it', (field, value, complaint) => {
  const { workloads, problems } = readDump({ workloads: [{ ...WORKLOAD, [field]: value }] });
  expect(workloads).toEqual([]);
  expect(problems[0]?.message).toContain(complaint);
});

test.each([
  ['cidrVips', [1], 'cidrVips[0] is a number, where an object was expected'],
  ['loadBalancer', [], 'loadBalancer is a list, where an object was expected'],
  ['weightedWaypoints', [{}], 'weightedWaypoints[0].destination is null, where an object was expected'],
])('a service with a wrong %s is a problem that names it', (field, value, complaint) => {
  const { services, problems } = readDump({ services: [{ ...SERVICE, [field]: value }] });
  expect(services).toEqual([]);
  expect(problems[0]?.message).toContain(complaint);
});

test('until 1.21 the kinds of a match are in snake_case; texts in them stay as they are', () => {
  const rules = [
    [[{ not_destination_ports: [1], source_ips: ['10.0.0.0/8'], namespaces: [{ Exact: 'a_b' }] }]],
  ];
  const { policies } = readDump({ by_key: { 'a_b/p_q': { name: 'p_q', namespace: 'a_b', rules } } });
  expect(policies[0]).toMatchObject({
    name: 'p_q',
    rules: [[[{ notDestinationPorts: [1], sourceIps: ['10.0.0.0/8'], namespaces: [{ Exact: 'a_b' }] }]]],
  });
});
