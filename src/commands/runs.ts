// What each subcommand does, by its name.

import { run as all } from './all/run.ts';
import { run as certs } from './certs/run.ts';
import { run as check } from './check/run.ts';
import { run as connections } from './connections/run.ts';
import { run as decode } from './decode/run.ts';
import { run as diff } from './diff/run.ts';
import { run as leases } from './leases/run.ts';
import { run as log } from './log/run.ts';
import { run as policies } from './policies/run.ts';
import { run as sans } from './sans/run.ts';
import { run as services } from './services/run.ts';
import { run as snapshot } from './snapshot/run.ts';
import type { Run } from './spec/command.ts';
import { run as trust } from './trust/run.ts';
import { run as wait } from './wait/run.ts';
import { run as workloads } from './workloads/run.ts';
import { run as ztunnels } from './ztunnels/run.ts';

/** By the command's name. */
export const runs: Readonly<Record<string, Run>> = {
  certs,
  workloads,
  check,
  trust,
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
  decode,
};
