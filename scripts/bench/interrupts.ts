// How soon the program ends after Ctrl-C, whatever it is doing then.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureInTurn } from './measure.ts';
import { serveMesh } from './meshprocess.ts';

/** From the signal to the end of the process, in ms. */
export interface Ended {
  readonly medianMs: number;
  readonly maximumMs: number;
}

interface Interrupted {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Settles when it is amid what it is to be interrupted in; `share` goes up to 1 over the runs. */
  readonly amid: (child: ChildProcess, share: number) => Promise<void>;
}

const HANGING = 200;
const INTERRUPTED = 130;

/** Each case by its name. `large` is a dump that takes seconds to read. */
export async function measureInterrupts(
  program: readonly [string, ...string[]],
  large: string,
  runs: number,
): Promise<ReadonlyMap<string, Ended>> {
  const [command, ...words] = program;
  const [whole] = await measureInTurn([{ program: command, args: [...words, 'workloads', '-f', large] }], 1);
  const [hanging, answering] = await Promise.all([serveMesh(HANGING, 'hangs'), serveMesh(1)]);
  const forwards = (mesh: typeof hanging, count: number) => async () => {
    for (let seen = 0; seen < count; seen += (await mesh.seen()).forwards) await sleep(10);
  };
  const cases: readonly Interrupted[] = [
    {
      name: `\`certs\`, ${HANGING} forwards that hang`,
      args: ['certs', '--concurrency', String(HANGING)],
      env: { KUBECONFIG: hanging.kubeconfig },
      amid: forwards(hanging, HANGING),
    },
    {
      name: '`workloads -f`, 70 MB',
      args: ['workloads', '-f', large],
      // The machine may be faster the next time.
      amid: (_, share) => sleep(share * 600 * whole!.seconds),
    },
    { name: '`certs -f -`, which goes on for ever', args: ['certs', '-f', '-'], amid: feed },
    { name: '`certs --watch`, between two looks', ...watching(['certs', '--watch', '--interval', '1h']) },
    {
      name: '`wait`, between two looks',
      ...watching(['wait', 'deployment/service-0.team-0', '--for=renewed', '--timeout=1h', '--interval=1h']),
    },
  ];
  function watching(args: readonly string[]) {
    const asked = forwards(answering, 1);
    const env = { KUBECONFIG: answering.kubeconfig };
    return { args, env, amid: () => asked().then(() => sleep(1000)) };
  }
  try {
    const results = new Map<string, Ended>();
    for (const each of cases) results.set(each.name, await measure(program, each, runs));
    return results;
  } finally {
    hanging.stop();
    answering.stop();
  }
}

/** White space without end: a dump may begin with it. */
async function feed({ stdin }: ChildProcess): Promise<void> {
  const spaces = Buffer.alloc(1 << 16, ' ');
  stdin?.on('error', () => {});
  const more = () => {
    while (stdin?.writable && stdin.write(spaces));
  };
  stdin?.on('drain', more);
  more();
  await sleep(500);
}

async function measure(
  [command, ...words]: readonly [string, ...string[]],
  { args, env, amid }: Interrupted,
  runs: number,
): Promise<Ended> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const child = spawn(command, [...words, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(child, 'exit').then(([code, signal]) => ({ at: performance.now(), code, signal }));
    await amid(child, (run + 1) / runs);
    const begun = performance.now();
    child.kill('SIGINT');
    const { at, code, signal } = await ended;
    // It was faster than it has been.
    if (at < begun) continue;
    if (code !== INTERRUPTED) throw new Error(`${args.join(' ')} ended with ${signal ?? code} after Ctrl-C`);
    times.push(at - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { medianMs: sorted[sorted.length >> 1] ?? 0, maximumMs: sorted.at(-1) ?? 0 };
}
