// Which subcommands there are, and what each does. A new one is a file beside this one, one in run/, and two lines here.

import { all } from './all.ts';
import { certs } from './certs.ts';
import { check } from './check.ts';
import type { Command, Run } from './command.ts';
import { completion } from './completion.ts';
import { connections } from './connections.ts';
import { decode } from './decode.ts';
import { diff } from './diff.ts';
import { leases } from './leases.ts';
import { log } from './log.ts';
import { options } from './options.ts';
import { policies } from './policies.ts';
import { sans } from './sans.ts';
import { services } from './services.ts';
import { snapshot } from './snapshot.ts';
import { version } from './version.ts';
import { wait } from './wait.ts';
import { workloads } from './workloads.ts';
import { ztunnels } from './ztunnels.ts';

export const commands: readonly Command[] = [
  certs,
  workloads,
  check,
  sans,
  leases,
  services,
  policies,
  connections,
  all,
  ztunnels,
  log,
  snapshot,
  diff,
  wait,
  version,
  decode,
  completion,
  options,
];

/** By name; loaded when one runs, as help, completion and usage errors do without it. */
export const runs: Readonly<Record<string, () => Promise<{ readonly run: Run }>>> = {
  certs: () => import('./run/certs.ts'),
  workloads: () => import('./run/workloads.ts'),
  check: () => import('./run/check.ts'),
  sans: () => import('./run/sans.ts'),
  leases: () => import('./run/leases.ts'),
  services: () => import('./run/services.ts'),
  policies: () => import('./run/policies.ts'),
  connections: () => import('./run/connections.ts'),
  all: () => import('./run/all.ts'),
  ztunnels: () => import('./run/ztunnels.ts'),
  log: () => import('./run/log.ts'),
  snapshot: () => import('./run/snapshot.ts'),
  diff: () => import('./run/diff.ts'),
  wait: () => import('./run/wait.ts'),
  decode: () => import('./run/decode.ts'),
};
