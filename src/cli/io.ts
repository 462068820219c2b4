// Everything that the program gets from outside: streams, clock, environment, and what reaches clusters and files.

import type { About } from '../commands/spec/command.ts';
import type { CommonOptions } from '../commands/spec/common.ts';
import type { Clock } from '../mesh/mesh.ts';
import type { Cluster } from '../sources/cluster.ts';
import type { SnapshotWriter } from '../sources/snapshot/snapshotwriter.ts';

/** A stream that text is written to; settles when it may go on, so that a slow reader slows the program. */
export interface Output {
  write(text: string): Promise<void>;
  /** undefined when it is not a terminal. */
  readonly terminal: { readonly columns: number; readonly rows: number } | undefined;
}

/** Everything that the program gets from outside. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** A person may answer there. */
  readonly stdinIsTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** What the program knows of itself. */
  readonly about: About;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Opens what the options name: a live cluster or dump files. Loaded only when a command needs it. */
  connect(options: CommonOptions, io: Io): Promise<Cluster>;
  /** Names of the kubeconfig's contexts. */
  listContexts(options: CommonOptions, io: Io): Promise<readonly string[]>;
  /** Makes the text the whole content of a file once it is complete; UserError, and the file as it was, else. */
  saveFile(path: string, text: AsyncIterable<string>): Promise<void>;
  /** Begins a snapshot under that name. */
  createSnapshot(path: string, signal: AbortSignal): Promise<SnapshotWriter>;
  /** The paths of what was saved in a directory under each of these names, endings apart. */
  findSaved(directory: string, names: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** The bytes of a file, or of stdin for `-`. */
  readInput(file: string, signal: AbortSignal): Promise<Uint8Array>;
}
