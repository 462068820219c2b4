// Which subcommands there are, and what each does. A new one is a file beside this one, one in run/, and two lines here.

import { all } from './all/command.ts';
import { certs } from './certs/command.ts';
import { check } from './check/command.ts';
import { completion } from './completion/command.ts';
import { connections } from './connections/command.ts';
import { decode } from './decode/command.ts';
import { diff } from './diff/command.ts';
import { leases } from './leases/command.ts';
import { log } from './log/command.ts';
import { options } from './options/command.ts';
import { policies } from './policies/command.ts';
import { sans } from './sans/command.ts';
import { services } from './services/command.ts';
import { snapshot } from './snapshot/command.ts';
import type { Command, Run } from './spec/command.ts';
import { version } from './version/command.ts';
import { wait } from './wait/command.ts';
import { workloads } from './workloads/command.ts';
import { ztunnels } from './ztunnels/command.ts';

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
  certs: () => import('./certs/run.ts'),
  workloads: () => import('./workloads/run.ts'),
  check: () => import('./check/run.ts'),
  sans: () => import('./sans/run.ts'),
  leases: () => import('./leases/run.ts'),
  services: () => import('./services/run.ts'),
  policies: () => import('./policies/run.ts'),
  connections: () => import('./connections/run.ts'),
  all: () => import('./all/run.ts'),
  ztunnels: () => import('./ztunnels/run.ts'),
  log: () => import('./log/run.ts'),
  snapshot: () => import('./snapshot/run.ts'),
  diff: () => import('./diff/run.ts'),
  wait: () => import('./wait/run.ts'),
  decode: () => import('./decode/run.ts'),
};
