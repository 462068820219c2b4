// Which modules a command initialises: `initialised.cjs WORDS…` runs the bundle, and lists them on stderr as it ends.

const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, '../dist/kubectl-ztunnel.cjs');
const STDERR = 2;
const initialised = [];
const builtinsBefore = new Set(process.moduleLoadList);

// esbuild wraps each module that is not needed at once into one of these two, under the module's name.
const recording = readFileSync(file, 'latin1')
  .replace(
    /var __esm=\((\w+),\w+,\w+\)=>function\(\)\{/,
    (head, module) => `${head}${recordOf(module, module)}`,
  )
  .replace(
    /var __commonJS=\((\w+),(\w+)\)=>function\(\)\{/,
    (head, module, made) => `${head}${recordOf(module, `!${made}`)}`,
  );

/** `made` is true while the module is not initialised. */
function recordOf(module, made) {
  return `if(${made})globalThis.recordModule(Object.getOwnPropertyNames(${module})[0]);`;
}

globalThis.recordModule = (name) => initialised.push(name);
process.argv = [process.argv[0], file, ...process.argv.slice(2)];
process.on('exit', () => {
  const builtins = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule ') && !builtinsBefore.has(name))
    .map((name) => name.replace('NativeModule ', 'node:'));
  writeSync(STDERR, `\nINITIALISED ${JSON.stringify([...initialised, ...builtins])}\n`);
});
new Script(`(function (require, __filename) {${recording}\n})`, { filename: file }).runInThisContext()(
  require,
  file,
);
