// Which commands read a mesh, take no word and end by themselves: those that can be run against any cluster.

import { commands } from '../../src/commands/index.ts';

const KNOWN = [
  'certs',
  'workloads',
  'services',
  'policies',
  'connections',
  'ztunnels',
  'check',
  'leases',
  'sans',
];

/** Those of them that there are. */
export const READING: readonly string[] = commands
  .map(({ name }) => name)
  .filter((name) => KNOWN.includes(name));
