// One run of the program: from the command line to the exit code. Only it and runcommand.ts write to the streams.

import { commands } from '../commands/index.ts';
import type { CommonOptions } from '../commands/spec/common.ts';
import { renderError } from '../printers/notes.ts';
import { type ParsedArgv, parseArgv } from './argv/argv.ts';
import { renderHelp } from './argv/help.ts';
import { complete } from './completion/complete.ts';
import type { Io } from './io.ts';
import { exitCodeOf, renderThrown } from './thrown.ts';

/** Runs one command line (without the program's own name) and returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === '__complete') return completeWords(argv.slice(1), io);
  const parsed = parseArgv(argv, commands);
  try {
    return await handlers[parsed.type](parsed as never, io);
  } catch (error) {
    await say(renderThrown(error, parsed, io), io);
    return exitCodeOf(parsed, io);
  }
}

/** What nobody can be told must not change the exit code, which others go by. */
async function say(text: string, { stderr }: Pick<Io, 'stderr'>): Promise<void> {
  await stderr.write(text).catch(() => {});
}

/** What a shell asks while one types; hidden, since no person does. */
async function completeWords(words: readonly string[], io: Io): Promise<number> {
  const { clock, signal } = io;
  const connect = (options: CommonOptions) => io.connect(options, io);
  const listContexts = (options: CommonOptions) => io.listContexts(options, io);
  const offers = await complete(words, commands, { connect, listContexts, clock, signal });
  // A shell that no longer listens has moved on.
  return io.stdout.write(offers).then(
    () => 0,
    () => 1,
  );
}

type Parsed<T extends ParsedArgv['type']> = Extract<ParsedArgv, { type: T }>;

const handlers = {
  error: async ({ command, error }: Parsed<'error'>, io: Io) => {
    await say(renderError(error.message, error.hint), io);
    return command !== undefined && 'views' in command ? (command.usageExitCode ?? 1) : 1;
  },
  help: async ({ command }: Parsed<'help'>, io: Io) => {
    await io.stdout.write(renderHelp(command, commands));
    return 0;
  },
  text: async ({ command, words, options }: Parsed<'text'>, io: Io) => {
    await io.stdout.write(command.text(words, commands, { options, about: io.about }));
    return 0;
  },
  run: async ({ command, options }: Parsed<'run'>, io: Io) => {
    // What lists, decodes and judges is nothing that help, completion and usage errors need.
    const { runCommand } = await import('./runcommand.ts');
    return runCommand(command, options as unknown as CommonOptions, io);
  },
} satisfies { [T in ParsedArgv['type']]: (parsed: Parsed<T>, io: Io) => Promise<number> };
