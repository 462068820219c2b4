// How the bundle is started, from dist/ or from inside an executable: with the code that V8 compiled when it was built, if this V8 takes it.

const { readFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

/** Scripts that give functions by their modules' names, each opened when nothing before it has what is needed. */
const PARTS = [
  'kubectl-ztunnel.cjs',
  'kubectl-ztunnel-files.cjs',
  'kubectl-ztunnel-mesh.cjs',
  'kubectl-ztunnel-rest.cjs',
];
const asset = __filename === process.execPath ? require('node:sea').getRawAsset : undefined;

function read(name) {
  return asset === undefined ? readFileSync(join(__dirname, '../dist', name)) : Buffer.from(asset(name));
}

/** But for the first part there are two: of what commands use that read files, and of everything. The wrong one is only slower. */
function readCache(part) {
  const isOffline = process.argv.some((word) => /^(?:-f|--file)/.test(word));
  const suffix = part === PARTS[0] ? '' : isOffline ? '.files' : '.mesh';
  try {
    return read(`${part}${suffix}.cache`);
  } catch {
    return undefined;
  }
}

function open(part) {
  // A part is ASCII, and so is read byte by byte. V8 refuses the cache of another version; it then compiles.
  const script = new Script(read(part).toString('latin1'), { filename: part, cachedData: readCache(part) });
  return script.runInThisContext();
}

const opened = [];
const loaded = new Map();

/** What is more than an object of its own properties can't be stood in for. */
const WHOLE = /^(?:node:)?(?:assert(?:\/strict)?|cluster|console|events|module|process|stream|sqlite|test)$/;

/** A module of Node, loaded when something of it is first used: all that commands may need takes longer than most run. */
function standIn(name) {
  // Of packages only those are left that a bundled one tries to load and can do without.
  if (WHOLE.test(name) || !isBuiltin(name)) return require(name);
  let module;
  const real = () => (module ??= require(name));
  const traps = {
    get: (_, key) => real()[key],
    set: (_, key, value) => Reflect.set(real(), key, value),
    has: (_, key) => key in real(),
  };
  // It has no keys of its own to copy, which would load it; a copy inherits from its prototype instead.
  return new Proxy(Object.create(new Proxy({ __proto__: null }, traps)), traps);
}

/** The same with functions as values instead of behind getters, which cost as much as a short function does. */
function settle(given) {
  const settled = Object.defineProperty({}, '__esModule', { value: true });
  for (const key of Object.keys(given)) {
    const value = given[key];
    // What is no function may still get its value.
    if (typeof value === 'function') settled[key] = value;
    else Object.defineProperty(settled, key, { enumerable: true, get: () => given[key] });
  }
  return settled;
}

/** What the bundle's modules call `require`: theirs are named ./NAME, Node's are not. */
function load(name) {
  if (!name.startsWith('./')) return standIn(name);
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  let part = opened.find((each) => name in each);
  while (part === undefined) {
    const next = open(PARTS[opened.length]);
    opened.push(next);
    if (name in next) part = next;
  }
  const module = { exports: {} };
  // Before it runs, since modules may need one another.
  loaded.set(name, module);
  part[name](load, module, module.exports);
  module.exports = settle(module.exports);
  return module.exports;
}

load('./main.js');
