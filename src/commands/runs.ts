// What each subcommand does, by its name.

import type { Run } from './command.ts';
import { run as all } from './run/all.ts';
import { run as certs } from './run/certs.ts';
import { run as check } from './run/check.ts';
import { run as connections } from './run/connections.ts';
import { run as decode } from './run/decode.ts';
import { run as diff } from './run/diff.ts';
import { run as leases } from './run/leases.ts';
import { run as log } from './run/log.ts';
import { run as policies } from './run/policies.ts';
import { run as sans } from './run/sans.ts';
import { run as services } from './run/services.ts';
import { run as snapshot } from './run/snapshot.ts';
import { run as wait } from './run/wait.ts';
import { run as workloads } from './run/workloads.ts';
import { run as ztunnels } from './run/ztunnels.ts';

/** By the command's name. */
export const runs: Readonly<Record<string, Run>> = {
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
  decode,
};
