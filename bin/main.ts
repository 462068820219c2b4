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
// As with the other two, Node takes milliseconds to open it: only for whoever reads it.
/** What help and version need nothing of. */
const reaching = () => import('./reach.ts');
const stdin = { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() };
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
  connect: async (...given) => (await reaching()).connect(...given),
  saveFile: async (...given) => (await reaching()).saveFile(...given),
  createSnapshot: async (...given) => (await reaching()).createSnapshot(...given),
  findSaved: async (...given) => (await reaching()).findSaved(...given),
  listContexts: async (...given) => (await reaching()).listContexts(...given),
  readInput: async (file, signal) => (await reaching()).readInput(file, stdin, signal),
};
void run(process.argv.slice(2), io).then(async (code) => {
  // Both streams are drained before the process ends.
  await Promise.all([stdout.drain(), stderr.drain()]).catch(() => {});
  process.exit(code);
});
