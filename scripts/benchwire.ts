// Measures how many bytes cross the loopback when 200 ztunnels behind a real control plane are asked for their certificates.
//
// KUBECTL_ZTUNNEL=PATH (else Node's bundle) PREVIOUS=PATH (an earlier one, in turn) RUNS=3 node scripts/benchwire.ts
// Whatever else uses the loopback is counted, too: `unshare --net` gives one that nothing else uses.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measureInTurn } from './bench/measure.ts';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const { KUBECTL_ZTUNNEL, PREVIOUS, RUNS = '3' } = process.env;
const BUNDLE = [process.execPath, pathOf('../bin/kubectl-ztunnel')] as const;
const CERTS = ['certs', '--context', 'reader', '--no-owners', '-o', 'name'];
const ZTUNNELS = 200;
/** What was under way when the program closed its connections arrives within this time. */
const SETTLE_MS = 1000;

type Program = readonly [program: string, ...words: string[]];

function loopbackBytes(): number {
  const [, received] = readFileSync('/proc/net/dev', 'utf8').match(/^\s*lo:\s*(\d+)/m) ?? [];
  if (received === undefined) throw new Error('/proc/net/dev says nothing of the loopback: this needs Linux');
  return Number(received);
}

async function measure([program, ...words]: Program, concurrency: number, kubeconfig: string) {
  const args = [...words, ...CERTS, '--concurrency', String(concurrency)];
  const before = loopbackBytes();
  const [measured] = await measureInTurn([{ program, args, env: { KUBECONFIG: kubeconfig } }], 1);
  await sleep(SETTLE_MS);
  // Two runs: the time is the second's.
  return `${measured?.seconds.toFixed(1)} s | ${((loopbackBytes() - before) / 2e9).toFixed(2)} GB`;
}

const programs: Readonly<Record<string, Program>> = {
  '': KUBECTL_ZTUNNEL ? [resolve(KUBECTL_ZTUNNEL)] : BUNDLE,
  ...(PREVIOUS && { ', before': [resolve(PREVIOUS)] as const }),
};
const server = fork(pathOf('./bench/servecontrolplane.ts'), [String(ZTUNNELS)]);
try {
  const [kubeconfig] = await once(server, 'message');
  console.log('| over the loopback | time | bytes |\n| --- | --- | --- |');
  for (let run = 0; run < Number(RUNS); run += 1) {
    for (const concurrency of [32, 1]) {
      for (const [which, program] of Object.entries(programs)) {
        const name = `\`${CERTS.join(' ')} --concurrency ${concurrency}\`, ${ZTUNNELS} ztunnels${which}`;
        console.log(`| ${name} | ${await measure(program, concurrency, kubeconfig)} |`);
      }
    }
  }
} finally {
  server.disconnect();
}
