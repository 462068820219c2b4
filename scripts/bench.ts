// Measures the program as its users run it, on inputs that it makes itself; against istioctl if ISTIOCTL names one.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES, type Case, type Dumps } from './bench/cases.ts';
import { CAPTURE, growDump, LARGE, MEDIUM } from './bench/inputs.ts';
import { measureInterrupts } from './bench/interrupts.ts';
import { measureLive, measureTrust } from './bench/live.ts';
import { type Command, type Measured, measureInTurn } from './bench/measure.ts';
import { measurePodList } from './bench/podlist.ts';

// The bundle, as the npm package starts it.
const LAUNCHER = fileURLToPath(new URL('../bin/kubectl-ztunnel', import.meta.url));
const { ISTIOCTL, RUNS = '5' } = process.env;
const runs = Number(RUNS);
const print = (line: string) => process.stdout.write(`${line}\n`);

function ours(args: readonly string[], stdin?: string): Command {
  return { program: process.execPath, args: [LAUNCHER, ...args], ...(stdin !== undefined && { stdin }) };
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
  const commands = [ours(args(dumps), stdin?.(dumps))];
  if (ISTIOCTL !== undefined) commands.push({ program: ISTIOCTL, args: istioctl(dumps) });
  const [own, other] = await measureInTurn(commands, runs);
  print(
    row([
      name,
      ...figures(own),
      ...figures(other),
      ratio(own?.seconds, other?.seconds),
      ratio(own?.cpuSeconds, other?.cpuSeconds),
      `≤ ${reach.time}`,
      ratio(own?.peakMiB, other?.peakMiB),
      reach.memory === undefined ? '' : `≤ ${reach.memory}`,
    ]),
  );
}

/** What no command can be faster than; those that judge certificates need Node's cryptography. */
async function measureFloor(): Promise<void> {
  const scripts = ['', "require('node:crypto')"];
  const commands = scripts.map((script) => ({ program: process.execPath, args: ['-e', script] }));
  const [bare, withCrypto] = await measureInTurn(commands, runs);
  print(
    `\nNode by itself: ${bare?.seconds.toFixed(3)} s; with node:crypto: ${withCrypto?.seconds.toFixed(3)} s\n`,
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
  for (const ztunnels of [200, 1000]) {
    const { seen, bytesRead, ...measured } = await measureLive(
      [process.execPath, LAUNCHER, 'certs'],
      ztunnels,
      Math.min(runs, 3),
    );
    print(
      row([
        `\`certs\`, ${ztunnels} ztunnels`,
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

async function measureTrusts(): Promise<void> {
  const [certs, trust] = await measureTrust([process.execPath, LAUNCHER], 1000, Math.min(runs, 3));
  print(row(['`certs`', ...figures(certs)]));
  const ratios = [
    ratio(trust?.seconds, certs?.seconds),
    ratio(trust?.cpuSeconds, certs?.cpuSeconds),
    '≤ 1.1',
  ];
  print(row(['`trust`', ...figures(trust), ...ratios]));
}

async function measureEnds({ large }: Dumps): Promise<void> {
  const ended = await measureInterrupts([process.execPath, LAUNCHER], large, runs);
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
  print(
    heading([
      'files',
      'time',
      'CPU',
      'peak',
      "istioctl's",
      'CPU',
      'peak',
      'time ratio',
      'CPU ratio',
      'reach',
      'memory ratio',
      'reach',
    ]),
  );
  for (const each of CASES) await measureCase(each, dumps);
  await measureFloor();
  print(
    heading([
      'live',
      'time',
      'CPU',
      'peak',
      'time ratio to a loop of istioctl',
      'CPU ratio',
      'read of the bytes',
      'forwards',
      'lists of each kind',
    ]),
  );
  await measureLives(dumps);
  print('');
  print(
    heading(['30,000 certificates in 20 classes', 'time', 'CPU', 'peak', 'time ratio', 'CPU ratio', 'reach']),
  );
  await measureTrusts();
  print('');
  print(heading(['interrupted', 'median', 'maximum', 'reach']));
  await measureEnds(dumps);
  const { protobufMs, jsonMs } = measurePodList();
  print(
    `\n10,000 pods: ${protobufMs.toFixed(0)} ms as protobuf, ${jsonMs.toFixed(0)} ms by JSON.parse: ${ratio(protobufMs, jsonMs)} (≤ 0.2)`,
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
