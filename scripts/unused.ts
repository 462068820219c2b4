// Which modules the bundle does without, because only functions that the program never calls use them.

import type { Plugin } from 'esbuild';

/** client-node's own requests, and its renewal of OIDC tokens; the program asks with node:http, and takes from client-node what a kubeconfig means. */
const UNUSED = /^(?:undici|openid-client|\.\/gen\/index\.js)$/;

/** Leaves them out: more than half of the bundle, and some of what takes time to start. */
export const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup(build) {
    build.onResolve({ filter: UNUSED }, ({ path, importer }) =>
      importer.includes('@kubernetes/client-node/dist/') ? { path, namespace: 'unused' } : undefined,
    );
    // The same parser without what reads files for it.
    build.onResolve({ filter: /^yargs-parser$/ }, ({ resolveDir, kind }) =>
      build.resolve('yargs-parser/browser', { resolveDir, kind }),
    );
    build.onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};
