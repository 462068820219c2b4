// Feeds every reader with mutated inputs, each in a process of its own whose memory and silence are bounded.
//
// node scripts/fuzz.ts [--count 200000] [--seed 1] [--target objects]: the same numbers make the same inputs.

import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

/** A reader that takes longer for a hundred inputs hangs. */
const LONGEST_SILENCE_MS = 120_000;
/** What all inputs together may hold on to, in MB. */
const MEMORY_MB = 512;

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
  const onProgress = (index: number) => process.send?.({ index });
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
  | { readonly index: number }
  | { readonly crash: string }
  | { readonly failures: readonly string[] };

/** In the parent. Resolves with what is wrong, one line or stack each. */
function supervise(asked: Asked): Promise<readonly string[]> {
  const { target, seed, count } = asked;
  const child = fork(import.meta.filename, ['--worker', target, `${seed}`, `${count}`], {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
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
      if ('index' in message) last = message.index;
      else
        result = 'crash' in message ? [`${target}, after input ${last}: ${message.crash}`] : message.failures;
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
    },
  });
  const { TARGETS } = await import('../test/fuzz/targets.ts');
  let wrong = 0;
  for (const { name } of TARGETS) {
    if (values.target !== undefined && values.target !== name) continue;
    const before = performance.now();
    const failures = await supervise({
      target: name,
      seed: Number(values.seed),
      count: Number(values.count),
    });
    const seconds = ((performance.now() - before) / 1000).toFixed(0);
    console.log(
      `${name}: ${values.count} inputs of seed ${values.seed} in ${seconds} s, ${failures.length} failures`,
    );
    for (const failure of failures) console.log(failure);
    wrong += failures.length;
  }
  return wrong === 0 ? 0 : 1;
}

const [first, target = '', seed, count] = process.argv.slice(2);
if (first === '--worker') await work({ target, seed: Number(seed), count: Number(count) });
else process.exitCode = await main();
