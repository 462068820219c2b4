// A directory in which every file that a runtime may read by itself holds something hostile.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What its code prints, and the name of the file that it leaves. */
export const HIJACKED = 'hijacked';

const CODE = `require('node:fs').writeFileSync(__dirname + '/${HIJACKED}', '');
require('node:fs').writeSync(1, '${HIJACKED}\\n');
module.exports = () => {};
`;

/** Each of these would change what the program does, if it were taken for its environment. */
const ENVIRONMENT = `KUBECONFIG=/nowhere
HTTPS_PROXY=http://127.0.0.1:9
https_proxy=http://127.0.0.1:9
FORCE_COLOR=1
DEBUG=*
NODE_TLS_REJECT_UNAUTHORIZED=0
NODE_OPTIONS=--require ./${HIJACKED}.cjs
BUN_OPTIONS=--preload=./${HIJACKED}.cjs
`;

/** Those in the bundle, those that one of them tries to load and can do without, and names of Node.js's own modules. */
const PACKAGES = [
  '@kubernetes/client-node',
  'buffer',
  'bufferutil',
  'chalk',
  'encoding',
  'events',
  'js-yaml',
  'p-map',
  'protobufjs',
  'string-width',
  'supports-color',
  'tar-stream',
  'undici',
  'url',
  'utf-8-validate',
  'ws',
  'yargs',
];

/** Fills an empty directory. */
export function makeHostile(directory: string): void {
  const write = (name: string, text: string) => {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write(`${HIJACKED}.cjs`, CODE);
  for (const name of ['.env', '.env.local', '.env.production', '.env.development']) write(name, ENVIRONMENT);
  const preload = `preload = ["./${HIJACKED}.cjs"]\n`;
  write('bunfig.toml', `${preload}[run]\nbun = true\n[test]\n${preload}`);
  const options = { paths: { '*': [`./${HIJACKED}.cjs`] }, baseUrl: '.', types: ['nothing'] };
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    write(name, JSON.stringify({ extends: './missing.json', compilerOptions: options }));
  }
  const settings = { 'boolean-negation': true, 'short-option-groups': true, 'strip-dashed': true };
  write(
    'package.json',
    JSON.stringify({
      type: 'module',
      main: `./${HIJACKED}.cjs`,
      imports: { '#*': `./${HIJACKED}.cjs` },
      overrides: { ws: `file:./node_modules/ws` },
      yargs: settings,
      version: '66.6.6',
    }),
  );
  for (const name of PACKAGES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '66.6.6', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, CODE);
  }
}
