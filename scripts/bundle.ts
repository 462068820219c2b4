// How the sources become a bundle: one file for Node.js, or files that an executable loads when they are needed.

import { isBuiltin } from 'node:module';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { buildInfo } from './buildinfo.ts';

/** For Node.js: one ES module. Gives what it is made of. */
export function bundleForNode(outfile: string): Promise<Metafile> {
  return bundle({ outfile });
}

/** For Bun: an ES module `main.js` and those that it loads later, in an empty folder. */
export function bundleForBun(outdir: string): Promise<Metafile> {
  return bundle({
    outdir,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    // Bun has one of its own, for which client-node has as little use here as for the package.
    external: ['undici'],
  });
}

async function bundle(output: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: ['bin/main.ts'],
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // Names stay as they are, so that a stack that a user reports can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: { BUILD_INFO: JSON.stringify(buildInfo()) },
    // CommonJS packages inside ask for Node's modules by this name.
    banner: {
      js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
    ...output,
    plugins: [onlyNeededModels, lightYargs, withoutNatives],
  });
  checkClosed(metafile!, output.external ?? []);
  return metafile!;
}

/**
 * Throws where the bundle asks for a package by name when it runs: an executable of Bun's would look for that in the
 * node_modules of the directory that it is started in, which is anybody's.
 */
function checkClosed({ inputs }: Metafile, builtinsOfBun: readonly string[]): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const open = imports.find(
      ({ external, path }) =>
        external && !path.startsWith('<define:') && !isBuiltin(path) && !builtinsOfBun.includes(path),
    );
    if (open !== undefined) throw new Error(`${file} loads ${open.path} when it runs: bundle it`);
  }
}

/**
 * client-node's generated API is a thousand modules without side effects, which its package.json does not say: only what
 * KubeConfig uses of it stays.
 */
const onlyNeededModels: Plugin = {
  name: 'only-needed-models',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolving' || !/client-node\/dist(?:$|\/gen)/.test(resolveDir)) return undefined;
      const resolved = await build.resolve(path, { resolveDir, kind, pluginData: 'resolving' });
      return /client-node\/dist\/gen\//.test(resolved.path)
        ? { ...resolved, sideEffects: false, pluginData: undefined }
        : { ...resolved, pluginData: undefined };
    });
  },
};

/**
 * yargs' own shim for browsers in place of the one for Node.js, which loads assert, util, fs and cliui: 4 ms of each start
 * (docs/performance.md), for help and locales that yargs does not have to provide here.
 */
const lightYargs: Plugin = {
  name: 'light-yargs',
  setup(build) {
    build.onResolve({ filter: /\/platform-shims\/esm\.mjs$/ }, ({ resolveDir, kind }) =>
      build.resolve('./lib/platform-shims/browser.mjs', { resolveDir, kind }),
    );
    // The shim names these two by addresses of a CDN.
    build.onResolve({ filter: /^https:.*\/yargs-parser@/ }, ({ kind }) =>
      build.resolve('yargs-parser/browser', { resolveDir: process.cwd(), kind }),
    );
    build.onResolve({ filter: /^https:.*\/cliui@/ }, ({ path }) => ({ path, namespace: 'not-needed' }));
    build.onLoad({ filter: /./, namespace: 'not-needed' }, () => ({ contents: 'export default undefined;' }));
  },
};

/** ws tries native helpers, and does without them: nobody may put them in their place. */
const withoutNatives: Plugin = {
  name: 'without-natives',
  setup(build) {
    build.onResolve({ filter: /^(?:bufferutil|utf-8-validate)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out');`,
    }));
  },
};
