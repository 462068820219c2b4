// Measures the program as its users run it, on inputs that it makes itself, in turn with istioctl and with another build of it.
//
// KUBECTL_ZTUNNEL=PATH (else Node's bundle) ISTIOCTL=PATH PREVIOUS=PATH RUNS=5 ONLY=files,live,interrupts node scripts/bench.ts

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, type Case, type Dumps } from './bench/cases.ts';
import { CAPTURE, growDump, LARGE, MEDIUM } from './bench/inputs.ts';
import { measureInterrupts } from './bench/interrupts.ts';
import { measureLive, measureTrust } from './bench/live.ts';
import { type Command, type Measured, measureInTurn } from './bench/measure.ts';
import { measurePodList } from './bench/podlist.ts';
import { growReachDump, reachCases } from './bench/reachmesh.ts';

const BUNDLE = [process.execPath, fileURLToPath(new URL('../bin/kubectl-ztunnel', import.meta.url))] as const;
const { ISTIOCTL, PREVIOUS, KUBECTL_ZTUNNEL, RUNS = '5', ONLY = 'files,live,trust,interrupts' } = process.env;
const runs = Number(RUNS);
const print = (line: string) => process.stdout.write(`${line}\n`);

type Program = readonly [program: string, ...words: string[]];
const PROGRAM: Program = KUBECTL_ZTUNNEL ? [resolve(KUBECTL_ZTUNNEL)] : BUNDLE;

function command([program, ...words]: Program, args: readonly string[], stdin?: string): Command {
  return { program, args: [...words, ...args], ...(stdin !== undefined && { stdin }) };
}

async function makeDumps(directory: string): Promise<Dumps> {
  const at = new Date().toISOString();
  const dumps = {
    small: fileURLToPath(CAPTURE),
    medium: join(directory, 'medium.json'),
    large: join(directory, 'large.json'),
  };
  writeFileSync(dumps.medium, await growDump(MEDIUM, at));
  writeFileSync(dumps.large, await growDump(LARGE, at));
  return dumps;
}

async function measureCase({ name, args, stdin, istioctl, reach }: Case, dumps: Dumps): Promise<void> {
  const given = [args(dumps), stdin?.(dumps)] as const;
  const commands = [
    command(PROGRAM, ...given),
    ...(ISTIOCTL ? [command([ISTIOCTL], istioctl(dumps))] : []),
    ...(PREVIOUS ? [command([resolve(PREVIOUS)], ...given)] : []),
  ];
  const measured = await measureInTurn(commands, runs);
  const own = measured[0];
  const other = ISTIOCTL ? measured[1] : undefined;
  const previous = PREVIOUS ? measured.at(-1) : undefined;
  print(
    row([
      name,
      ...figures(own),
      ...figures(other),
      ratio(own?.seconds, other?.seconds),
      `≤ ${reach.time}`,
      ratio(own?.peakMiB, other?.peakMiB),
      reach.memory === undefined ? '' : `≤ ${reach.memory}`,
      ...figures(previous),
      ratio(own?.seconds, previous?.seconds),
    ]),
  );
}

/** What one call of istioctl takes for the same dump as a file: its loop over nodes takes more, for its port-forwards. */
async function measureIstioctl(dumps: Dumps): Promise<Measured | undefined> {
  if (ISTIOCTL === undefined) return undefined;
  const args = ['ztunnel-config', 'certificates', '-f', dumps.medium];
  return (await measureInTurn([{ program: ISTIOCTL, args }], runs))[0];
}

async function measureLives(dumps: Dumps): Promise<void> {
  const each = await measureIstioctl(dumps);
  const dumpBytes = statSync(dumps.medium).size;
  const programs = { '': PROGRAM, ...(PREVIOUS && { ', before': [resolve(PREVIOUS)] as const }) };
  for (const ztunnels of [200, 1000]) {
    for (const [which, program] of Object.entries(programs)) {
      const { seen, bytesRead, ...measured } = await measureLive(
        [...program, 'certs'],
        [...BUNDLE, 'certs'],
        ztunnels,
        Math.min(runs, 3),
      );
      print(
        row([
          `\`certs\`, ${ztunnels} ztunnels${which}`,
          ...figures(measured),
          ratio(measured.seconds, times(each?.seconds, ztunnels)),
          ratio(measured.cpuSeconds, times(each?.cpuSeconds, ztunnels)),
          percent(bytesRead / (dumpBytes * ztunnels)),
          String(seen.forwards),
          Object.values(seen.lists).join(', '),
        ]),
      );
    }
  }
}

/** Each beside `workloads` of the same dump, in turn. */
async function measureReach(directory: string): Promise<void> {
  const file = join(directory, 'reach.json');
  writeFileSync(file, await growReachDump(new Date().toISOString()));
  for (const { name, args, atMost } of reachCases(file)) {
    const [program, ...before] = PROGRAM;
    const ours = (words: readonly string[]) => ({ program: program!, args: [...before, ...words] });
    const [own, other] = await measureInTurn([ours(args), ours(['workloads', '-f', file])], runs);
    print(
      row([
        name,
        ...figures(own),
        ...figures(other),
        ratio(own?.seconds, other?.seconds),
        ratio(own?.cpuSeconds, other?.cpuSeconds),
        `≤ ${atMost}`,
        ratio(own?.peakMiB, other?.peakMiB),
      ]),
    );
  }
}

async function measureTrusts(): Promise<void> {
  const [certs, trust] = await measureTrust(PROGRAM, 1000, Math.min(runs, 3));
  print(row(['`certs`', ...figures(certs)]));
  const ratios = [
    ratio(trust?.seconds, certs?.seconds),
    ratio(trust?.cpuSeconds, certs?.cpuSeconds),
    '≤ 1.1',
  ];
  print(row(['`trust`', ...figures(trust), ...ratios]));
}

async function measureEnds({ large }: Dumps): Promise<void> {
  const ended = await measureInterrupts(PROGRAM, large, runs);
  for (const [name, { medianMs, maximumMs }] of ended) {
    print(row([name, `${medianMs.toFixed(0)} ms`, `${maximumMs.toFixed(0)} ms`, '≤ 200 ms']));
  }
}

function figures(measured: Measured | undefined): readonly string[] {
  if (measured === undefined) return ['', '', ''];
  const { seconds, cpuSeconds, peakMiB } = measured;
  return [
    `${seconds.toFixed(3)} s`,
    cpuSeconds === undefined ? '' : `${cpuSeconds.toFixed(2)} s`,
    mebibytes(peakMiB),
  ];
}

function mebibytes(value: number | undefined): string {
  return value === undefined ? '' : `${Math.round(value)} MiB`;
}

function ratio(own: number | undefined, other: number | undefined): string {
  return own === undefined || other === undefined ? '' : (own / other).toFixed(2);
}

function times(value: number | undefined, count: number): number | undefined {
  return value === undefined ? undefined : value * count;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function heading(names: readonly string[]): string {
  return `${row(names)}\n${row(names.map(() => '---'))}`;
}

const directory = mkdtempSync(join(tmpdir(), 'kubectl-ztunnel-'));
try {
  const model = cpus()[0]?.model ?? 'unknown processor';
  print(
    `${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}; medians of ${runs} runs\n`,
  );
  const dumps = await makeDumps(directory);
  if (ONLY.includes('files')) {
    const names = ['files', 'time', 'CPU', 'peak', "istioctl's", 'CPU', 'peak'];
    const ratios = ['time ratio', 'reach', 'memory ratio', 'reach'];
    print(heading([...names, ...ratios, 'before', 'CPU', 'peak', 'time ratio']));
    for (const each of CASES) await measureCase(each, dumps);
  }
  if (ONLY.includes('files')) {
    const names = ['`reach`, 100,000 workloads', 'time', 'CPU', 'peak', '`workloads`', 'CPU', 'peak'];
    print(heading([...names, 'time ratio', 'CPU ratio', 'reach', 'memory ratio']));
    await measureReach(directory);
  }
  if (ONLY.includes('live')) {
    const ratios = ['time ratio to a loop of istioctl', 'CPU ratio', 'read of the bytes'];
    print(heading(['live', 'time', 'CPU', 'peak', ...ratios, 'forwards', 'lists of each kind']));
    await measureLives(dumps);
    const { protobufMs, jsonMs } = measurePodList();
    print(
      `\n10,000 pods: ${protobufMs.toFixed(0)} ms as protobuf, ${jsonMs.toFixed(0)} ms by JSON.parse: ${ratio(protobufMs, jsonMs)} (≤ 0.2)\n`,
    );
  }
  if (ONLY.includes('trust')) {
    print(
      heading([
        '30,000 certificates in 20 classes',
        'time',
        'CPU',
        'peak',
        'time ratio',
        'CPU ratio',
        'reach',
      ]),
    );
    await measureTrusts();
  }
  if (ONLY.includes('interrupts')) {
    print(heading(['interrupted', 'median', 'maximum', 'reach']));
    await measureEnds(dumps);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
