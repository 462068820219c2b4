// Which subcommands there are. A new one is a folder beside this file, and a line here.

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
import { reach } from './reach/command.ts';
import { sans } from './sans/command.ts';
import { services } from './services/command.ts';
import { snapshot } from './snapshot/command.ts';
import type { Command } from './spec/command.ts';
import { trust } from './trust/command.ts';
import { version } from './version/command.ts';
import { wait } from './wait/command.ts';
import { workloads } from './workloads/command.ts';
import { ztunnels } from './ztunnels/command.ts';

export const commands: readonly Command[] = [
  certs,
  workloads,
  check,
  trust,
  sans,
  leases,
  services,
  policies,
  connections,
  reach,
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
