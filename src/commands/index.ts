// Which subcommands there are. A new one is a file beside this one and a line here.

import { certs } from './certs.ts';
import { check } from './check.ts';
import type { Command } from './command.ts';
import { leases } from './leases.ts';
import { workloads } from './workloads.ts';

export const commands: readonly Command[] = [certs, workloads, check, leases];
