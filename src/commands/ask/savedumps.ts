// How every ztunnel's config dump goes into a snapshot as it was sent, without being held.

import type { SnapshotWriter } from '../../cluster/snapshotwriter.ts';
import { createDumpReader, type DumpReader } from '../../decode/configdump.ts';
import type { SavedFailure, SavedZtunnel } from '../../decode/manifest.ts';
import { AbsentError, ForbiddenError, UserError } from '../../errors.ts';
import { findImageTag } from '../../model/image.ts';
import type { Failure, Ztunnel } from '../../model/types.ts';
import type { CommandContext } from '../command.ts';
import type { CommonOptions } from '../common.ts';
import { askEach, failureOf } from './each.ts';
import type { Scope } from './scope.ts';

export interface SavedDumps {
  /** All in scope, in its order. */
  readonly ztunnels: readonly SavedZtunnel[];
  readonly failures: readonly Failure[];
}

interface Outcome {
  readonly ztunnel: Ztunnel;
  readonly saved: SavedZtunnel;
  /** Absent if there is nothing of it. */
  readonly answer?: true;
  readonly failures: readonly Failure[];
}

/** Asks all ztunnels that are worth it. `hide` takes out of a text what must not be saved. */
export async function saveDumps(
  { ztunnels, asked, failures }: Scope,
  writer: SnapshotWriter,
  hide: (text: string) => string,
  options: CommonOptions,
  context: CommandContext,
): Promise<SavedDumps> {
  const names = nameFiles(asked);
  const save = (ztunnel: Ztunnel) => saveDump(ztunnel, names.get(ztunnel)!, writer, hide, options, context);
  const outcomes = await askEach(asked, save, options, context);
  const byZtunnel = new Map(outcomes.map(({ ztunnel, saved }) => [ztunnel, saved]));
  return {
    ztunnels: ztunnels.map((ztunnel) => byZtunnel.get(ztunnel) ?? notAsked(ztunnel)),
    failures: [...failures, ...outcomes.flatMap((outcome) => outcome.failures)],
  };
}

/** A file for each, named so that a person finds it: names are at most as long as a file's may be. */
function nameFiles(ztunnels: readonly Ztunnel[]): ReadonlyMap<Ztunnel, string> {
  const taken = new Set<string>();
  return new Map(
    ztunnels.map((ztunnel) => {
      const plain = `${ztunnel.namespace}_${ztunnel.name}`.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 200);
      const name = taken.has(plain) ? `${plain}-${taken.size}` : plain;
      taken.add(name);
      return [ztunnel, `dumps/${name}.json`];
    }),
  );
}

function notAsked({ namespace, name, node, pod }: Ztunnel): SavedZtunnel {
  const version = (pod && findImageTag(pod)) ?? null;
  return { namespace: namespace ?? '', name, node, version, dump: null, failure: null, problem: null };
}

async function saveDump(
  ztunnel: Ztunnel,
  file: string,
  writer: SnapshotWriter,
  hide: (text: string) => string,
  options: CommonOptions,
  { cluster, signal }: CommandContext,
): Promise<Outcome> {
  const inspection = inspect();
  const request = { port: options.proxyAdminPort, timeoutMs: options.timeout, signal };
  const { saved, error } = await writer.save(file, inspection.watch(cluster.openDump(ztunnel, request)));
  signal.throwIfAborted();
  const { version, problem } =
    error === undefined ? inspection.end() : { version: undefined, problem: undefined };
  const about = notAsked(ztunnel);
  const failed = error ?? problem;
  return {
    ztunnel,
    saved: {
      ...about,
      version: version ?? about.version,
      dump: saved,
      failure: error === undefined ? null : savedFailure(error, hide),
      problem: problem === undefined ? null : hide(problem.message),
    },
    ...(failed === undefined && { answer: true as const }),
    failures: failed === undefined ? [] : [failureOf(ztunnel, failed)],
  };
}

/** What the user was told of something that could not be had. What is no UserError is a bug, and thrown on. */
export function savedFailure(error: unknown, hide: (text: string) => string): SavedFailure {
  if (!(error instanceof UserError)) throw error;
  const { message, hint } = error;
  return {
    message: hide(message),
    hint: hide(hint),
    forbidden: error instanceof ForbiddenError,
    ...(error instanceof AbsentError && { absent: true as const }),
  };
}

/** Reads along whether it is a config dump, to its end; what is none is kept as far as it took to know. */
function inspect() {
  const reader = createDumpReader({ sections: new Set(['version']), keepRaw: false, toTheEnd: true });
  let problem: UserError | undefined;
  return {
    async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
      for await (const chunk of chunks) {
        yield chunk;
        problem = attempt(() => void reader.write(chunk));
        if (problem !== undefined) return;
      }
    },
    end: () => (problem === undefined ? endOf(reader) : { version: undefined, problem }),
  };
}

function endOf(reader: DumpReader) {
  let version: string | undefined;
  const problem = attempt(() => {
    version = reader.end().version;
  });
  return { version, problem };
}

function attempt(action: () => void): UserError | undefined {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  return undefined;
}
