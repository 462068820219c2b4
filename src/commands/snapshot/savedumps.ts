// How every ztunnel's config dump goes into a snapshot as it was sent, without being held.

import type { SavedZtunnel } from '../../decode/manifest.ts';
import type { Asking } from '../../mesh/asking.ts';
import { askEach, failureOf } from '../../mesh/each.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Scope } from '../../mesh/scope/scope.ts';
import type { Failure, Ztunnel } from '../../model/types.ts';
import type { SnapshotWriter } from '../../sources/snapshot/snapshotwriter.ts';
import type { Keeping, SavedIdentity } from './keeping.ts';

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

/** Asks all ztunnels that are worth it. */
export async function saveDumps(
  { ztunnels, asked, failures }: Scope,
  writer: SnapshotWriter,
  keeping: Keeping,
  asking: Asking,
  mesh: Mesh,
): Promise<SavedDumps> {
  const files = nameFiles(asked, keeping);
  const concurrency = Math.min(asking.concurrency, keeping.atOnce);
  const outcomes = await askEach(
    asked,
    (ztunnel) => saveDump(ztunnel, files.get(ztunnel)!, writer, keeping, asking, mesh),
    concurrency,
    mesh,
  );
  const byZtunnel = new Map(outcomes.map(({ ztunnel, saved }) => [ztunnel, saved]));
  return {
    ztunnels: ztunnels.map((ztunnel) => byZtunnel.get(ztunnel) ?? notAsked(keeping.ztunnel(ztunnel))),
    failures: [...failures, ...outcomes.flatMap((outcome) => outcome.failures)],
  };
}

/** A file for each, named so that a person finds it: names are at most as long as a file's may be. */
function nameFiles(ztunnels: readonly Ztunnel[], keeping: Keeping): ReadonlyMap<Ztunnel, string> {
  const taken = new Set<string>();
  return new Map(
    ztunnels.map((ztunnel) => {
      const { namespace, name } = keeping.ztunnel(ztunnel);
      const plain = `${namespace}_${name}`.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, 200);
      const file = taken.has(plain) ? `${plain}-${taken.size}` : plain;
      taken.add(file);
      return [ztunnel, `dumps/${file}.json`];
    }),
  );
}

function notAsked(identity: SavedIdentity): SavedZtunnel {
  return { ...identity, dump: null, failure: null, problem: null };
}

async function saveDump(
  ztunnel: Ztunnel,
  file: string,
  writer: SnapshotWriter,
  keeping: Keeping,
  asking: Asking,
  { cluster, signal }: Mesh,
): Promise<Outcome> {
  const inspection = keeping.inspect();
  const request = { port: asking.proxyAdminPort, timeoutMs: asking.timeout, signal };
  const { saved, error } = await writer.save(file, inspection.watch(cluster.openDump(ztunnel, request)));
  signal.throwIfAborted();
  const { version, problem } =
    error === undefined ? inspection.end() : { version: undefined, problem: undefined };
  const about = notAsked(keeping.ztunnel(ztunnel));
  const failed = error ?? problem;
  return {
    ztunnel,
    saved: {
      ...about,
      version: version ?? about.version,
      dump: saved,
      failure: error === undefined ? null : keeping.failure(error),
      problem: problem === undefined ? null : keeping.failure(problem).message,
    },
    ...(failed === undefined && { answer: true as const }),
    failures: failed === undefined ? [] : [failureOf(ztunnel, failed)],
  };
}
