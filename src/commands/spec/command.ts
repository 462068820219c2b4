// What a command is: its name, flags, texts, and what it may use when it runs.

import type { Clock, Mesh, Progress } from '../../mesh/mesh.ts';
import type { Format } from '../../printers/formats.ts';
import type { Report, Views } from '../../printers/printer.ts';
import type { SnapshotWriter } from '../../sources/snapshot/snapshotwriter.ts';
import type { CommonOptions } from './common.ts';
import type { Flags, OptionsOf } from './flags.ts';

/** All that a command may ask of the outside. */
export interface CommandContext {
  /** The mesh that the options name. Opened once, and closed when the command has ended. */
  readonly mesh: () => Promise<Mesh>;
  /** Another mesh, whose cluster is the command's to close. */
  readonly openMesh: (options: CommonOptions) => Promise<Mesh>;
  readonly clock: Clock;
  readonly progress: Progress;
  /** Asks a person for yes or no; undefined where nobody is there to answer. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
  /** Begins a snapshot under that name, on the disk. */
  readonly createSnapshot: (path: string, signal: AbortSignal) => Promise<SnapshotWriter>;
  /**
   * The paths of what was saved in a directory under each of these names, endings apart: none, one, or several. Throws
   * UserError if it is no directory.
   */
  readonly findSaved: (
    directory: string,
    names: readonly string[],
  ) => Promise<readonly (readonly string[])[]>;
  /** The bytes of a file, `-` is stdin. Throws UserError naming it. */
  readonly readInput: (file: string, signal: AbortSignal) => Promise<Uint8Array>;
  /** Ends when the user interrupts. */
  readonly signal: AbortSignal;
}

export interface Example {
  readonly does: string;
  /** What follows `kubectl ztunnel `. */
  readonly args: string;
}

/** The words that may stand after a command's name; they become `options.words`. */
export interface Arguments {
  /** As help shows them: `[TARGET]`, `A B`, `[FILE…|-]`. */
  readonly usage: string;
  readonly least: number;
  readonly most: number;
  /** The only words allowed. */
  readonly choices?: readonly string[];
  /** What completion offers in their place. */
  readonly completes?: 'target' | 'files';
}

interface CommandBase {
  readonly name: string;
  readonly aliases: readonly string[];
  /** One line for the list of commands. */
  readonly summary: string;
  readonly examples: readonly Example[];
  /** None if absent. TARGET is one of them: target.ts. */
  readonly arguments?: Arguments;
}

export interface CommandSpec<F extends Flags> extends CommandBase {
  /** What it does: a module of its own, since help, completion and usage errors do without it. */
  readonly load: () => Promise<{ readonly run: Run }>;
  /** Its own flags; those that all commands have are in common.ts. */
  readonly flags: F;
  /** Of the flags that all commands have, those that it has; all if absent. */
  readonly takes?: readonly string[];
  /** What its reports can be seen as; which formats it has follows. */
  readonly views: readonly (keyof Views)[];
  /** The first of its formats if absent. */
  readonly defaultFormat?: Format;
  /** Throws UsageError for combinations that make no sense. */
  readonly check?: (options: OptionsOf<F> & CommonOptions) => void;
  /** Exit code of one report; by default 1 on failures and partial results. */
  readonly exitCode?: (report: Report) => number;
  /** Exit code of a usage error and of an error that leaves nothing to print; 1 by default. */
  readonly usageExitCode?: number;
  readonly errorExitCode?: number;
}

/** A command that prints a text of its own and asks nothing: it has no flags but its own and --help. */
export interface TextCommand extends CommandBase {
  readonly flags?: Flags;
  /** Ends with a line break. */
  readonly text: (words: readonly string[], commands: readonly Command[], context: TextContext) => string;
}

/** What a text may depend on. */
export interface TextContext {
  /** Parsed values of the command's own flags, under their camelCase names. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly about: About;
}

/** What the table of commands holds. */
export type Command = MeshCommand | TextCommand;

/** A command whose flag types are no longer known. */
export type MeshCommand = Omit<CommandSpec<Flags>, 'check'> & {
  readonly check?: (options: never) => void;
};

/** What a command does: asks, relates, and yields one report, or one after the other. */
export type Run = (options: never, context: CommandContext) => AsyncGenerator<Report>;

/** Infers a command's option types from its flags. */
export function defineCommand<const F extends Flags>(spec: CommandSpec<F>): CommandSpec<F> {
  return spec;
}

export interface About {
  /** Without a `v`. */
  readonly version: string;
  /** Forty hexadecimal digits, `-dirty` behind them if it was built with changes; null where nothing told the build. */
  readonly commit: string | null;
  /** RFC 3339; that of the commit, so that a build can be repeated. */
  readonly buildDate: string | null;
  /** What runs it: `Bun 1.4.5`, `Node.js 24.22.3`. */
  readonly runtime: string;
  /** Operating system and architecture in kubectl's words: `linux/amd64`. */
  readonly platform: string;
}
