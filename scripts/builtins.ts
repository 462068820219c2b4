// How the bundle comes to load a built-in module of Node when it is first used, not when the program starts.

import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

/** Loading all that commands may need takes longer than most commands run. */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    const names = new RegExp(`^(?:node:)?(?:${builtinModules.join('|')})$`);
    build.onResolve({ filter: names }, ({ path, namespace }) =>
      namespace === 'lazy' || !canWait(path) ? { path, external: true } : { path, namespace: 'lazy' },
    );
    build.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({ contents: standIn(path) }));
  },
};

/** What is more than an object of its own properties (`assert` and `stream` are functions) can't be stood in for. */
function canWait(name: string): boolean {
  const loaded = require(name);
  return typeof loaded === 'object' && Object.getPrototypeOf(loaded) === Object.prototype;
}

/** An object with the same properties, each of which loads the module when it is read. */
function standIn(name: string): string {
  const keys = JSON.stringify(Object.keys(require(name)));
  return `
    let loaded;
    const load = () => (loaded ??= require(${JSON.stringify(name)}));
    for (const key of ${keys}) {
      const set = (value) => { load()[key] = value; };
      Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => load()[key], set });
    }`;
}
