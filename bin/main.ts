// The program itself: hands the process, its streams, its clock and the real cluster to cli.ts.

import type { Io } from '../src/cli/io.ts';
import { run } from '../src/cli/run.ts';
import { about } from './about.ts';
import { systemClock } from './clock.ts';
import { interruptSignal } from './interrupt.ts';
import { outputOf } from './output.ts';

const STDOUT = 1;
const STDERR = 2;
let signal: AbortSignal | undefined;
// Windows shows what is written to a terminal's number in whatever code page it has.
const mayBlock = () => signal === undefined && process.platform !== 'win32';
const stdout = outputOf(STDOUT, () => process.stdout, mayBlock);
const stderr = outputOf(STDERR, () => process.stderr, mayBlock);
// Opened for whoever reads it only, as the other two are for whoever writes more than a little.
const stdin = { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() };
// Nothing that help, completion and usage errors need.
const reach = () => import('./reach.ts');
const io: Io = {
  stdout,
  stderr,
  stdin,
  get stdinIsTerminal() {
    return process.stdin.isTTY === true;
  },
  env: process.env,
  clock: systemClock,
  about,
  // Until somebody listens, an interrupt ends the process as it ends any other.
  get signal() {
    signal ??= interruptSignal(process);
    return signal;
  },
  connect: async (...given) => (await reach()).connect(...given),
  saveFile: async (...given) => (await reach()).saveFile(...given),
  createSnapshot: async (...given) => (await reach()).createSnapshot(...given),
  findSaved: async (...given) => (await reach()).findSaved(...given),
  listContexts: async (...given) => (await reach()).listContexts(...given),
  readInput: async (file, signal) => (await reach()).readInput(file, stdin, signal),
};
void run(process.argv.slice(2), io).then(async (code) => {
  // Both streams are drained before the process ends.
  await Promise.all([stdout.drain(), stderr.drain()]).catch(() => {});
  process.exit(code);
});
