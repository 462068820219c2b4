// One run of a command that reports: from its options to what is printed, and the exit code.

import { takeTurns } from '../base/turn.ts';
import type { MeshCommand } from '../commands/spec/command.ts';
import type { CommonOptions } from '../commands/spec/common.ts';
import type { OutputFileOptions } from '../commands/spec/sharedflags.ts';
import { type Mesh, meshOf } from '../mesh/mesh.ts';
import type { Format } from '../printers/formats.ts';
import { isRedrawn, printerOf } from '../printers/index.ts';
import { renderEmpty, renderFailures, renderSummary, renderWarnings } from '../printers/notes.ts';
import type { Printer, Report, Screen } from '../printers/printer.ts';
import { renderFrame } from '../printers/terminal.ts';
import { createConfirm } from './confirm.ts';
import type { Io } from './io.ts';
import { createProgress } from './progress.ts';

/** Runs it, prints each of its reports as it comes, and returns the exit code. Throws what it throws. */
export async function runCommand(command: MeshCommand, options: CommonOptions, io: Io): Promise<number> {
  // From the first: what has been opened must be closed after an interrupt, too.
  const { clock, signal, createSnapshot, findSaved, readInput } = io;
  const progress = createProgress(io.stderr, clock, !isDumb(io));
  const openMesh = async (others: CommonOptions): Promise<Mesh> =>
    meshOf(await io.connect(others, io), others.now, { clock, progress, signal });
  let mesh: Promise<Mesh> | undefined;
  let code = 0;
  const telling: Telling = { warned: new Set(), said: new Set(), drawn: false };
  try {
    const context = {
      mesh: () => {
        mesh ??= openMesh(options);
        return mesh;
      },
      openMesh,
      clock,
      progress,
      // Finding out whether somebody is there takes time that only a command that asks should spend.
      get confirm() {
        return createConfirm(io);
      },
      createSnapshot,
      findSaved,
      readInput,
      signal,
    };
    const { run } = await command.load();
    for await (const report of run(options as never, context)) {
      // A large mesh takes long to judge, and then long to print. What comes after an interrupt is the last word.
      if (!signal.aborted) await takeTurns(signal);
      await progress.clear();
      const cluster = (await mesh)?.cluster;
      const warnings = () => [...report.warnings, ...(cluster?.warnings() ?? [])];
      await printReport(report, options, warnings, telling, io);
      code = (command.exitCode ?? exitCode)(report);
    }
    io.signal.throwIfAborted();
    return code;
  } finally {
    await progress.clear();
    await (await mesh?.catch(() => undefined))?.cluster.close();
  }
}

/** What a command that goes on has told already, so as not to repeat it. */
interface Telling {
  readonly warned: Set<string>;
  /** The lines of the last notes. */
  said: ReadonlySet<string>;
  /** Its screen has been drawn. */
  drawn: boolean;
}

/** 1 for any error or partial result; a warning or an empty result is none. */
function exitCode(report: Report): number {
  const failed = report.failures.some((failure) => failure.severity === 'error');
  return failed || report.failed === true || report.partial === true ? 1 : 0;
}

/** stdout is data, stderr is talk, and data comes first: on a terminal, what went wrong stands at the end. */
async function printReport(
  report: Report,
  options: CommonOptions,
  /** Asked for once all is printed: reading while printing may warn. */
  warnings: () => readonly string[],
  telling: Telling,
  io: Io,
): Promise<void> {
  const screen = screenOf(io, options);
  const format = options.output as Format;
  const printer: Printer = printerOf(report, format, screen);
  if (isRedrawn(report, format, screen)) {
    const table = (await Array.fromAsync(printer.render(report, screen))).join('');
    io.signal.throwIfAborted();
    await io.stdout.write(
      renderFrame(`${table}${notesOn(report, printer, screen, warnings())}`, screen, !telling.drawn),
    );
    telling.drawn = true;
    return;
  }
  const { outputFile } = options as CommonOptions & OutputFileOptions;
  if (outputFile === undefined) {
    for await (const chunk of untilAborted(printer.render(report, screen), io.signal)) {
      await io.stdout.write(chunk);
    }
  } else {
    await io.saveFile(outputFile, untilAborted(printer.render(report, onPaper(screen)), io.signal));
  }
  const news = warnings().filter((text) => !telling.warned.has(text));
  for (const text of news) telling.warned.add(text);
  const text = notesOn(report, printer, screen, news);
  const fresh = printer.view === 'events' ? unsaid(text, telling) : text;
  // The exit code, which others go by, stays even if nobody can be told.
  if (fresh !== '') await io.stderr.write(fresh).catch(() => {});
}

/** The lines that the report before did not have as well. */
function unsaid(text: string, telling: Telling): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const fresh = lines.filter((line) => !telling.said.has(line));
  telling.said = new Set(lines);
  return fresh.map((line) => `${line}\n`).join('');
}

function notesOn(report: Report, printer: Printer, screen: Screen, warnings: readonly string[]): string {
  return [
    renderEmpty(report),
    printer.view === 'table' || printer.view === 'events' ? renderSummary(report, screen) : '',
    renderWarnings(warnings),
    renderFailures(report.failures),
    clusterRoleOf(report),
  ].join('');
}

async function* untilAborted(chunks: AsyncIterable<string>, signal: AbortSignal): AsyncIterable<string> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** A file is no terminal, whatever stdout is. */
function onPaper(screen: Screen): Screen {
  return { ...screen, columns: undefined, rows: undefined, color: false };
}

/** However many were refused, the ClusterRole that would let them answer is printed once. */
function clusterRoleOf(report: Report): string {
  const role = report.failures.find((failure) => failure.clusterRole)?.clusterRole ?? report.clusterRole;
  return role === undefined ? '' : role.endsWith('\n') ? role : `${role}\n`;
}

function screenOf(io: Io, options: CommonOptions): Screen {
  const { terminal } = io.stdout;
  return {
    columns: terminal?.columns,
    // It can't be drawn anew.
    rows: isDumb(io) ? undefined : terminal?.rows,
    color: wantsColor(io, options),
    headers: !options.noHeaders,
  };
}

/** A terminal that knows no escape sequences, as editors have them. */
function isDumb({ env }: Pick<Io, 'env'>): boolean {
  return env.TERM === 'dumb';
}

/** https://no-color.org: NO_COLOR counts when it is not empty; FORCE_COLOR=0 forces none. */
function wantsColor(io: Io, options: CommonOptions): boolean {
  const { env, stdout } = io;
  if (options.noColor || (env.NO_COLOR ?? '') !== '') return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.terminal !== undefined && !isDumb(io);
}
