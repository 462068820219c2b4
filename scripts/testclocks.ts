// Runs the tests under a moved system clock, which every program that they start sees too.
//
// node scripts/testclocks.ts [--clock 400d|10y|leapday]… [--suite unit|test:cluster]… [-- WORDS FOR JEST]

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '..');
const DAY_S = 86_400;

/** How many seconds each clock is ahead of `now`. */
const CLOCKS = {
  '400d': () => 400 * DAY_S,
  '10y': () => 3653 * DAY_S,
  /** Noon of the next 29 February that is not today. */
  leapday: (now: Date) => {
    const leaps = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((years) =>
      Date.UTC(now.getUTCFullYear() + years, 1, 29, 12),
    );
    const next = leaps.find(
      (time) => time - now.getTime() > DAY_S * 1000 && new Date(time).getUTCDate() === 29,
    );
    return Math.round((next! - now.getTime()) / 1000);
  },
} satisfies Readonly<Record<string, (now: Date) => number>>;

const SUITES = ['unit', 'test:cluster'] as const;

/** Debian's packages put it there; `undefined` where it is not installed. */
function findLibrary(): string | undefined {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`) : [];
  return ['/usr/lib', '/usr/local/lib', ...folders]
    .map((folder) => path.join(folder, 'faketime/libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
}

/** What moves the clock of a program and of all that it starts; libfaketime's own variables. */
function moved(library: string, secondsAhead: number): NodeJS.ProcessEnv {
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${secondsAhead}`,
    // What a wait of ten seconds takes is no matter of the date.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

/** Throws where a preloaded library does not reach a program that this Node.js starts. */
function checkClock(env: NodeJS.ProcessEnv, secondsAhead: number): string {
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8' });
  const off = Number(stdout) - Date.now() - secondsAhead * 1000;
  if (!(Math.abs(off) < 60_000)) throw new Error(`the clock was not moved: a program saw ${stdout.trim()}`);
  return new Date(Number(stdout)).toISOString();
}

function npmRun(suite: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('npm', ['run', '-s', suite, '--', ...words], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { clock: { type: 'string', multiple: true }, suite: { type: 'string', multiple: true } },
  });
  const clocks = (values.clock ?? Object.keys(CLOCKS)) as (keyof typeof CLOCKS)[];
  const unknown = clocks.find((name) => !Object.hasOwn(CLOCKS, name));
  if (unknown !== undefined)
    throw new Error(`there is no clock ${unknown}: ${Object.keys(CLOCKS).join(', ')}`);
  const library = findLibrary();
  if (library === undefined) {
    console.error('test:clocks: skipped: libfaketime is not installed (the package faketime has it)');
    return 0;
  }
  let worst = 0;
  for (const name of clocks) {
    const secondsAhead = CLOCKS[name](new Date());
    const env = { ...process.env, ...moved(library, secondsAhead) };
    console.error(`test:clocks: ${name}: the clock says ${checkClock(env, secondsAhead)}`);
    for (const suite of values.suite ?? SUITES)
      worst = Math.max(worst, await npmRun(suite, positionals, env));
  }
  return worst;
}

process.exitCode = await main(process.argv.slice(2));
