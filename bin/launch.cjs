// How the bundle is started: with the code that V8 compiled when it was built, if this V8 takes it.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, '../dist/kubectl-ztunnel.cjs');

/** There are two caches; the wrong one is only slower. */
function readCache() {
  const words = process.argv.slice(2);
  const offline =
    words.length === 0 || words.some((word) => /^(?:-f|--file|-h|--help|help|version)/.test(word));
  try {
    return readFileSync(`${file}.${offline ? 'files' : 'mesh'}.cache`);
  } catch {
    return undefined;
  }
}

// The bundle is ASCII, and so is read byte by byte. V8 refuses the cache of another version; it then compiles.
const wrapped = `(function (require, __filename) {${readFileSync(file, 'latin1')}\n})`;
const script = new Script(wrapped, { filename: file, cachedData: readCache() });
script.runInThisContext()(require, file);
