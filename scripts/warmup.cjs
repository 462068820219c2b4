// How a part of the bundle gets compiled: all of it, or what commands use that run one after the other in this process. Then
// V8 is asked for its code.

const { readFileSync, writeFileSync } = require('node:fs');
const { basename, resolve } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const vm = require('node:vm');

const [, , file, cache, list] = process.argv;
const LAUNCH = resolve(__dirname, '../bin/launch.cjs');

/** Word for word what bin/launch.cjs gives to V8. */
const compileAll = () => {
  setFlagsFromString('--no-lazy');
  const script = new vm.Script(readFileSync(file, 'latin1'), { filename: basename(file) });
  setFlagsFromString('--lazy');
  return script;
};

/** The part's script once bin/launch.cjs has run the commands with it. */
async function compileUsed(commands) {
  const scripts = new Map();
  const { Script } = vm;
  // One script for all of the commands, instead of one each.
  vm.Script = function remember(text, { filename }) {
    if (!scripts.has(filename)) scripts.set(filename, new Script(text, { filename }));
    return scripts.get(filename);
  };
  for (const argv of commands) {
    process.argv = [process.argv[0], LAUNCH, ...argv];
    const code = await new Promise((done) => {
      process.exit = done;
      delete require.cache[LAUNCH];
      require(LAUNCH);
    });
    // 2 is what `check` returns for what it finds.
    if (code !== 0 && code !== 2) throw new Error(`${argv.join(' ')} exits with ${code}`);
  }
  return scripts.get(basename(file));
}

async function main() {
  const { exit } = process;
  // What has not run for a while would be dropped, the outermost function first. Flags are part of what V8 compares before
  // it takes a cache, so they must be as they were in the end.
  setFlagsFromString('--no-flush-bytecode');
  const script = list === 'all' ? compileAll() : await compileUsed(JSON.parse(list));
  setFlagsFromString('--flush-bytecode');
  writeFileSync(cache, script.createCachedData());
  exit(0);
}

void main();
