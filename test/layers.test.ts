// Which folder may import which, read from the import lines.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..');
const sources = ['bin', 'src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => path.join(folder, name).replaceAll(path.sep, '/')),
);

interface Import {
  readonly file: string;
  /** Path from the project's root, or a package's name. */
  readonly target: string;
  readonly typeOnly: boolean;
}

const IMPORT = /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

const imports: readonly Import[] = sources.flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = (match[2] ?? match[3])!;
    const isOurs = specifier.startsWith('.');
    const target = isOurs ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
    return { file, target, typeOnly: match[1] !== undefined };
  });
});
const ours = imports.filter(({ target }) => /^(?:src|bin)\//.test(target));

/** The place that a file belongs to: its folder. */
const placeOf = (file: string): string => path.posix.dirname(file);

/** One folder a command. `all` shows the tables of others, and so stands above them. */
const commandFolders = readdirSync(path.join(root, 'src/commands'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['all', 'reports', 'spec'].includes(entry.name))
  .map(({ name }) => `src/commands/${name}`);

/** The places from the top down. Each may import those on lines below its own, and none beside or above it. */
const PLACES: readonly (readonly string[])[] = [
  ['bin'],
  ['src/cli'],
  ['src/cli/completion'],
  ['src/cli/argv'],
  ['src/commands'],
  ['src/commands/all'],
  commandFolders,
  ['src/commands/reports'],
  ['src/commands/spec'],
  ['src/mesh/scope'],
  ['src/mesh'],
  ['src/sources/snapshot'],
  ['src/sources/kubernetes'],
  ['src/sources/kubeconfig'],
  ['src/sources/files'],
  ['src/sources'],
  ['src/decode', 'src/decode/complete'],
  ['src/decode/dump'],
  ['src/decode/kube'],
  ['src/decode/schema'],
  ['src/decode/json', 'src/decode/generated'],
  ['src/printers'],
  ['src/model/documents'],
  ['src/model/findings'],
  ['src/model/sans', 'src/model/leases', 'src/model/capture'],
  ['src/model/workloads', 'src/model/redact'],
  ['src/model/reach'],
  ['src/model/targets', 'src/model/policies'],
  ['src/model/trust'],
  ['src/model/certificates'],
  ['src/model/owners'],
  ['src/model/ztunnels'],
  ['src/model'],
  ['src/base'],
];

/** What may be imported from above, as types only: the shape of what is handed down. */
const TYPES_FROM_ABOVE: Readonly<Record<string, readonly string[]>> = {
  'src/mesh': ['src/mesh/scope'],
  'src/cli/completion': ['src/cli'],
  // Rows and dumps carry what a certificate's bytes were read as.
  'src/model': ['src/model/certificates'],
};

/** model/kinds.ts names what is kept of each kind when it is redacted, and so stands above the rest of model. */
const EXCEPTIONS: readonly (readonly [file: string, place: string])[] = [
  ['src/model/kinds.ts', 'src/model/redact'],
];

/** What may not be reached though it lies below: what is pure stays so, and who asks does not print. */
const WALLS: readonly (readonly [from: RegExp, to: RegExp, typesToo: boolean])[] = [
  [/^src\/(?:model|base|printers)\b/, /^src\/(?:sources|decode)\b/, true],
  [/^src\/printers\b/, /^src\/model\b/, false],
  [/^src\/(?:decode|sources|mesh)\b/, /^src\/printers\b/, true],
  [/^src\/commands\//, /^src\/printers\b/, false],
  [/^src\/(?:cli|commands|mesh)\b/, /^src\/sources\b/, false],
];

function rankOf(place: string): number {
  const rank = PLACES.findIndex((line) => line.includes(place));
  if (rank < 0) throw new Error(`${place} is a new place: say in PLACES where it stands`);
  return rank;
}

function mayImport({ file, target, typeOnly }: Import): boolean {
  const [from, to] = [placeOf(file), placeOf(target)];
  if (from === to || EXCEPTIONS.some(([one, other]) => one === file && other === to)) return true;
  if (WALLS.some(([one, other, typesToo]) => one.test(from) && other.test(to) && !(typeOnly && !typesToo))) {
    return false;
  }
  return rankOf(from) < rankOf(to) || (typeOnly && (TYPES_FROM_ABOVE[from]?.includes(to) ?? false));
}

/** The only rooms that may import a package; one that is not listed may be imported by none. */
const packages: Readonly<Record<string, readonly string[]>> = {
  yargs: ['cli'],
  chalk: ['printers'],
  'string-width': ['printers'],
  'js-yaml': ['printers', 'decode', 'sources'],
  protobufjs: ['decode'],
  '@kubernetes/client-node': ['sources'],
  ws: ['sources'],
  'tar-stream': ['sources'],
  'p-map': ['mesh', 'commands', 'sources'],
  'ipaddr.js': ['model'],
};

const roomOf = (file: string): string => file.split('/')[file.startsWith('src/') ? 1 : 0]!;
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

describe('rooms, and the folders inside them', () => {
  test('the reader of import lines finds them', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(imports.some(({ target }) => target === 'src/base/errors.ts')).toBe(true);
    expect(imports.some(({ target }) => packageOf(target) === 'yargs')).toBe(true);
  });

  test('import downwards only, and through no wall', () => {
    const wrong = ours.filter((each) => !mayImport(each));
    expect(
      wrong.map(({ file, target, typeOnly }) => `${file} → ${target}${typeOnly ? ' (type)' : ''}`),
    ).toEqual([]);
  });

  test('use a package only where it belongs', () => {
    const wrong = imports
      .filter(({ target }) => !/^(?:src|bin)\/|^node:/.test(target))
      .filter(({ file, target }) => !packages[packageOf(target)]?.includes(roomOf(file)));
    expect(wrong).toEqual([]);
  });

  test('only sources and bin touch network, files and processes', () => {
    const effects = /^node:(fs|net|tls|http|https|dns|child_process|process|os)\b/;
    const wrong = imports.filter(
      ({ file, target, typeOnly }) =>
        effects.test(target) && !typeOnly && !['sources', 'bin'].includes(roomOf(file)),
    );
    expect(wrong).toEqual([]);
  });
});

describe('source files', () => {
  test.each(sources)('%s says in its first line what it knows', (file) => {
    const [first] = readFileSync(path.join(root, file), 'utf8').split('\n', 1);
    expect(first).toMatch(/^\/\/ .+\.$/);
  });

  test('read the clock, the environment and the console nowhere but in bin', () => {
    const ambient = /\bDate\.now\(|\bnew Date\(\)|\bconsole\.|\bprocess\./;
    const wrong = sources
      .filter((file) => file.startsWith('src'))
      .filter((file) =>
        ambient.test(readFileSync(path.join(root, file), 'utf8').replaceAll(/\/\/.*$/gm, '')),
      );
    expect(wrong).toEqual([]);
  });
});
