// Which modules a command initialises: `initialised.cjs WORDS…` runs the bundle, and lists them on stderr as it ends.

const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const LAUNCH = join(__dirname, '../bin/launch.cjs');
const { inputs, outputs } = JSON.parse(readFileSync(join(__dirname, '../dist/metafile.json'), 'utf8'));
const STDERR = 2;
const initialised = [];
const builtinsBefore = new Set(process.moduleLoadList);

/** esbuild wraps each CommonJS module into this, under the module's name. */
const COMMONJS = /\b__commonJS=\((\w+),(\w+)\)=>function\(\)\{/;
globalThis.recordModule = (name) => initialised.push(name);

/** The modules of a chunk run with it, unless they are CommonJS. */
function recordChunk(name) {
  const chunk = outputs[`dist/${name.replace('./', '')}`];
  initialised.push(...Object.keys(chunk.inputs).filter((input) => inputs[input]?.format !== 'cjs'));
}

const { Script } = vm;
vm.Script = class extends Script {
  constructor(text, { filename }) {
    const recording = text.replace(
      COMMONJS,
      (head, module, made) =>
        `${head}if(!${made})globalThis.recordModule(Object.getOwnPropertyNames(${module})[0]);`,
    );
    super(recording, { filename });
  }

  runInThisContext() {
    const chunks = Object.entries(super.runInThisContext()).map(([name, chunk]) => [
      name,
      (...given) => {
        recordChunk(name);
        return chunk(...given);
      },
    ]);
    return Object.fromEntries(chunks);
  }
};

process.argv = [process.argv[0], LAUNCH, ...process.argv.slice(2)];
process.on('exit', () => {
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule ') && !builtinsBefore.has(name))
    .map((name) => name.replace('NativeModule ', 'node:'));
  writeSync(STDERR, `\nINITIALISED ${JSON.stringify([...initialised, ...builtins])}\n`);
});
require(LAUNCH);
