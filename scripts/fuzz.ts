// Feeds every reader with mutated inputs, each in a process of its own whose memory and silence are bounded.
//
// node scripts/fuzz.ts [--count 200000] [--seed 1] [--target objects] [--runtime bun|node]: the same numbers make the same inputs.

import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bunHere } from './package/runtime.ts';

/** A reader that takes longer for a hundred inputs hangs. */
const LONGEST_SILENCE_MS = 120_000;
/** What the process may have at any time, all inputs together: 512 MB. */
const MOST_MEMORY_BYTES = 512e6;

/** Bun is what executables contain, Node.js what the npm package runs on. */
const RUNTIMES = {
  bun: () => bunHere(),
  node: () => process.execPath,
} satisfies Readonly<Record<string, () => string>>;

interface Asked {
  readonly target: string;
  readonly seed: number;
  readonly count: number;
}

/** In the child: what became of the inputs is sent to the parent. */
async function work({ target: name, seed, count }: Asked): Promise<void> {
  const { TARGETS } = await import('../test/fuzz/targets.ts');
  const { fuzz } = await import('../test/fuzz/target.ts');
  const target = TARGETS.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  const onProgress = (index: number) => process.send?.({ index, bytes: process.memoryUsage.rss() });
  // What is thrown where nobody waits for it is a crash, too.
  process.on('uncaughtException', (error) => {
    process.send?.({ crash: String(error.stack) }, () => process.exit(1));
  });
  const failures = await fuzz(target, { seed, count, onProgress });
  const folder = path.join(tmpdir(), 'kubectl-ztunnel-fuzz', name);
  if (failures.length > 0) mkdirSync(folder, { recursive: true });
  const told = failures.map(({ index, input, error }) => {
    const file = path.join(folder, `${seed}-${index}`);
    writeFileSync(file, input);
    return `${file}: ${error instanceof Error ? error.stack : String(error)}`;
  });
  process.send?.({ failures: told }, () => process.exit(0));
}

type Message =
  | { readonly index: number; readonly bytes: number }
  | { readonly crash: string }
  | { readonly failures: readonly string[] };

/** In the parent. Resolves with what is wrong, one line or stack each. */
function supervise(asked: Asked, execPath: string): Promise<readonly string[]> {
  const { target, seed, count } = asked;
  const child = fork(import.meta.filename, ['--worker', target, `${seed}`, `${count}`], {
    execPath,
    execArgv: [],
  });
  return new Promise((resolve) => {
    let last = 0;
    let result: readonly string[] | undefined;
    const silence = setTimeout(() => {
      result = [`${target}: silent since input ${last} of seed ${seed}`];
      child.kill('SIGKILL');
    }, LONGEST_SILENCE_MS);
    child.on('message', (message: Message) => {
      silence.refresh();
      if ('crash' in message) result = [`${target}, after input ${last}: ${message.crash}`];
      else if ('failures' in message) result = message.failures;
      else {
        last = message.index;
        if (message.bytes <= MOST_MEMORY_BYTES) return;
        result = [`${target}: ${(message.bytes / 1e6).toFixed(0)} MB at input ${last} of seed ${seed}`];
        child.kill('SIGKILL');
      }
    });
    child.on('exit', (code) => {
      clearTimeout(silence);
      resolve(result ?? [`${target}: ended with ${code} after input ${last} of seed ${seed}`]);
    });
  });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '200000' },
      seed: { type: 'string', default: '1' },
      target: { type: 'string' },
      runtime: { type: 'string', default: 'bun' },
    },
  });
  if (!Object.hasOwn(RUNTIMES, values.runtime))
    throw new Error(`--runtime: ${Object.keys(RUNTIMES).join(', ')}`);
  const execPath = RUNTIMES[values.runtime as keyof typeof RUNTIMES]();
  const { TARGETS } = await import('../test/fuzz/targets.ts');
  let wrong = 0;
  for (const { name } of TARGETS) {
    if (values.target !== undefined && values.target !== name) continue;
    const before = performance.now();
    const asked = { target: name, seed: Number(values.seed), count: Number(values.count) };
    const failures = await supervise(asked, execPath);
    const seconds = ((performance.now() - before) / 1000).toFixed(0);
    console.log(
      `${name}: ${values.count} inputs of seed ${values.seed} on ${values.runtime} in ${seconds} s, ${failures.length} failures`,
    );
    for (const failure of failures) console.log(failure);
    wrong += failures.length;
  }
  return wrong === 0 ? 0 : 1;
}

const [first, target = '', seed, count] = process.argv.slice(2);
if (first === '--worker') await work({ target, seed: Number(seed), count: Number(count) });
else process.exitCode = await main();
