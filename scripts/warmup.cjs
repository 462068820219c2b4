// How the bundle's functions get compiled: all, or those of commands that run one after the other in this process. Then V8
// is asked for its code.

const { readFileSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const [, , bundle, cache, list] = process.argv;
const file = resolve(bundle);
const commands = JSON.parse(list);

async function main() {
  // What has not run for a while would be dropped, the outermost function first. Flags are part of what V8 compares before
  // it takes a cache, so they must be as they were in the end.
  setFlagsFromString('--no-flush-bytecode');
  if (commands === 'all') setFlagsFromString('--no-lazy');
  // Word for word what bin/launch.cjs wraps around it.
  const wrapped = `(function (require, __filename) {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(wrapped, { filename: file });
  setFlagsFromString('--lazy');
  const exit = process.exit;
  for (const argv of commands === 'all' ? [] : commands) {
    process.argv = [process.argv[0], file, ...argv];
    await new Promise((done) => {
      process.exit = done;
      script.runInThisContext()(require, file);
    });
  }
  setFlagsFromString('--flush-bytecode');
  writeFileSync(cache, script.createCachedData());
  exit(0);
}

void main();
