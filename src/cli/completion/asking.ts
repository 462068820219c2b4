// How the mesh is asked while one types: what the command line so far means, for no more than a second.

import { compareText } from '../../base/order.ts';
import type { Command } from '../../commands/spec/command.ts';
import type { CommonOptions } from '../../commands/spec/common.ts';
import type { Clock } from '../../mesh/mesh.ts';
import type { Cluster } from '../../sources/cluster.ts';
import { parseArgv } from '../argv/argv.ts';
import type { Cursor } from './complete.ts';
import { findLive, offerTypes } from './live.ts';
import type { Live, Offer } from './offers.ts';

export interface Surroundings {
  connect(options: CommonOptions): Promise<Cluster>;
  /** Names of the kubeconfig's contexts. */
  listContexts(options: CommonOptions): Promise<readonly string[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A person waits for it with a finger on the key. */
const PATIENCE_MS = 1000;

/** Names of Kubernetes' objects, and nothing that a shell could take for more than a word. */
const SAFE = /^[a-z0-9][a-zA-Z0-9._/-]*$/;

/** The same of contexts, which clouds name after what they are. */
const SAFE_CONTEXT = /^[a-zA-Z0-9][a-zA-Z0-9._/:@-]*$/;

/** What the mesh, or the kubeconfig, offers. Nothing if it can't be asked, or does not answer soon. */
export async function askMesh(
  live: Live,
  typed: string,
  cursor: Cursor,
  before: readonly string[],
  commands: readonly Command[],
  { connect, listContexts, clock, signal: outer }: Surroundings,
): Promise<readonly Offer[]> {
  const otherwise = offerTypes(live);
  const options = readOptions(cursor, before, commands);
  if (options === undefined || options.file.length > 0) return otherwise;
  const done = new AbortController();
  const signal = AbortSignal.any([outer, done.signal]);
  const answer = async () => {
    if (live === 'contexts') return offerContexts(await listContexts(options), options);
    const [first = options.context] = contextsOf(options);
    const cluster = await connect({ ...options, context: first });
    try {
      return (await findLive(live, { cluster, options, typed, signal })).filter(({ value }) =>
        SAFE.test(value),
      );
    } finally {
      await cluster.close();
    }
  };
  try {
    return await Promise.race([answer(), clock.sleep(PATIENCE_MS, done.signal).then(() => otherwise)]);
  } catch {
    // Whatever went wrong: a shell's prompt is no place to say so.
    return otherwise;
  } finally {
    done.abort();
  }
}

/** Those that --contexts names so far. */
function contextsOf(options: CommonOptions & { readonly contexts?: readonly string[] }): readonly string[] {
  return options.contexts ?? [];
}

/** Each cluster is asked once. */
function offerContexts(names: readonly string[], options: CommonOptions): readonly Offer[] {
  return names
    .filter((name) => SAFE_CONTEXT.test(name) && !contextsOf(options).includes(name))
    .toSorted(compareText)
    .map((value) => ({ value }));
}

/** The options so far, for the cluster that they mean; undefined for a command line that is wrong. */
function readOptions(
  { awaited }: Cursor,
  before: readonly string[],
  commands: readonly Command[],
): CommonOptions | undefined {
  const whole = awaited === undefined ? before : before.slice(0, -1);
  // A command may need a word that is not there yet.
  for (const argv of [whole, [...whole, 'x'], [...whole, 'x', 'y']]) {
    const parsed = parseArgv(argv, commands);
    if (parsed.type === 'run') return parsed.options as unknown as CommonOptions;
  }
  return undefined;
}
