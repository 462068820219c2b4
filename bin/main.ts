// The program itself: hands the process, its streams, its clock and the real cluster to cli.ts.

import process from 'node:process';
import { isatty } from 'node:tty';
import { run } from '../src/cli.ts';
import type { Io } from '../src/io.ts';
import { about } from './about.ts';
import { systemClock } from './clock.ts';
import { connect, createSnapshot } from './connect.ts';
import { interruptSignal } from './interrupt.ts';
import { outputOf } from './output.ts';
import { inputOf } from './readinput.ts';
import { saveFile } from './savefile.ts';

const STDIN = 0;
const stdout = outputOf(() => process.stdout);
const stderr = outputOf(() => process.stderr);
// As with the other two, Node takes milliseconds to open it: only for whoever reads it.
const stdin = { [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() };
const io: Io = {
  stdout,
  stderr,
  stdin,
  get stdinIsTerminal() {
    return isatty(STDIN);
  },
  env: process.env,
  clock: systemClock,
  about,
  signal: interruptSignal(process),
  connect,
  saveFile,
  createSnapshot,
  readInput: inputOf(stdin),
};
// A bundle that a single executable can embed has no await at its top.
void run(process.argv.slice(2), io).then(async (code) => {
  // Both streams are drained before the process ends.
  await Promise.all([stdout.drain(), stderr.drain()]).catch(() => {});
  process.exit(code);
});
