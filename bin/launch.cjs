// How the bundle is started, from dist/ or from inside an executable: with the code that V8 compiled when it was built, if this V8 takes it.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const sea = require('node:sea');
const { Script } = require('node:vm');

const NAME = 'kubectl-ztunnel.cjs';
const file = sea.isSea() ? join(__dirname, NAME) : join(__dirname, '../dist', NAME);

/** The bundle, or with a suffix one of the files beside it. */
function read(suffix = '') {
  return sea.isSea() ? Buffer.from(sea.getRawAsset(NAME + suffix)) : readFileSync(file + suffix);
}

/** There are two caches; the wrong one is only slower. */
function readCache() {
  const words = process.argv.slice(2);
  const offline =
    words.length === 0 || words.some((word) => /^(?:-f|--file|-h|--help|help|version)/.test(word));
  try {
    return read(`.${offline ? 'files' : 'mesh'}.cache`);
  } catch {
    return undefined;
  }
}

// The bundle is ASCII, and so is read byte by byte. V8 refuses the cache of another version; it then compiles.
const wrapped = `(function (require, __filename) {${read().toString('latin1')}\n})`;
const script = new Script(wrapped, { filename: file, cachedData: readCache() });
script.runInThisContext()(require, file);
