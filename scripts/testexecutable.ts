// Runs the front door's and the control plane's tests on the executable that KUBECTL_ZTUNNEL names, else on one made here.
//
// KUBECTL_ZTUNNEL=PATH node scripts/testexecutable.ts [--suite frontdoor|cluster]… [-- WORDS FOR JEST]

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { platformOf } from './package/platforms.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Below dist/, so that a release that somebody made is left alone. */
const OUT = path.join(ROOT, 'dist/executable');

const JEST = ['--experimental-vm-modules', path.join(ROOT, 'node_modules/jest/bin/jest.js')];
/** Words for Node.js. */
const SUITES = {
  frontdoor: [...JEST, 'test/frontdoor'],
  cluster: [path.join(ROOT, 'scripts/testcluster.ts')],
} satisfies Readonly<Record<string, readonly string[]>>;

function runNode(words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** The path of an executable for this system, from the sources as they are. */
async function makeExecutable(): Promise<string> {
  const here = platformOf(process);
  if (here === undefined) throw new Error(`there is no Bun for ${process.platform}-${process.arch}`);
  const argv = ['scripts/package.ts', '--platform', here.name, '--out', OUT];
  if ((await runNode(argv)) !== 0) throw new Error('it could not be made');
  return path.join(OUT, here.name, here.program);
}

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { suite: { type: 'string', multiple: true } },
  });
  const suites = (values.suite ?? Object.keys(SUITES)) as (keyof typeof SUITES)[];
  const unknown = suites.find((name) => !Object.hasOwn(SUITES, name));
  if (unknown !== undefined)
    throw new Error(`there is no suite ${unknown}: ${Object.keys(SUITES).join(', ')}`);
  const given = process.env.KUBECTL_ZTUNNEL;
  if (given && !existsSync(given)) throw new Error(`KUBECTL_ZTUNNEL: there is no ${path.resolve(given)}`);
  const program = given ? path.resolve(given) : await makeExecutable();
  const env = { ...process.env, KUBECTL_ZTUNNEL: program };
  let worst = 0;
  for (const name of suites) {
    console.error(`test:executable: ${name} on ${path.relative(ROOT, program)}`);
    worst = Math.max(worst, await runNode([...SUITES[name], ...positionals], env));
  }
  return worst;
}

process.exitCode = await main(process.argv.slice(2));
