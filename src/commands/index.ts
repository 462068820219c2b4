// Which subcommands there are. A new one is a file beside this one and a line here; one in run/ and a line in runs.ts.

import { all } from './all.ts';
import { certs } from './certs.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
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
