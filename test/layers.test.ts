// Which room may import which, read from the import lines.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..');
const sources = ['bin', 'src'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => path.join(folder, name)),
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
    const target = specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier;
    return { file, target, typeOnly: match[1] !== undefined };
  });
});

function roomOf(file: string): string {
  const [top, room = ''] = file.split(path.sep);
  if (top !== 'src') return top ?? '';
  return room.endsWith('.ts') ? file : `src/${room}`;
}

/** What each room may import of the project, itself apart. `type` rooms may be imported as types only. */
const allowed: Readonly<
  Record<string, { readonly value: readonly string[]; readonly type: readonly string[] }>
> = {
  bin: { value: ['src/cli/run.ts', 'src/cluster'], type: ['src/commands', 'src/cli/io.ts'] },
  'src/cli/run.ts': {
    value: [
      'src/argv',
      'src/commands',
      'src/completion',
      'src/printers',
      'src/cli/runcommand.ts',
      'src/cli/thrown.ts',
    ],
    type: ['src/cli/io.ts'],
  },
  'src/cli/runcommand.ts': {
    value: ['src/commands', 'src/printers', 'src/cli/confirm.ts', 'src/cli/progress.ts', 'src/base/turn.ts'],
    type: ['src/cluster', 'src/cli/io.ts'],
  },
  'src/cli/confirm.ts': { value: [], type: ['src/cli/io.ts'] },
  'src/cli/io.ts': { value: [], type: ['src/cluster', 'src/commands'] },
  'src/cli/progress.ts': { value: [], type: ['src/cli/io.ts', 'src/commands'] },
  'src/cli/thrown.ts': { value: ['src/printers'], type: ['src/argv', 'src/cli/io.ts'] },
  'src/base/turn.ts': { value: [], type: [] },
  'src/base/nearest.ts': { value: [], type: [] },
  'src/base/selector.ts': { value: [], type: [] },
  'src/base/errors.ts': { value: [], type: [] },
  'src/argv': { value: ['src/commands', 'src/base/nearest.ts'], type: [] },
  'src/completion': { value: ['src/argv', 'src/commands', 'src/model'], type: ['src/cluster'] },
  'src/commands': {
    value: ['src/decode', 'src/model', 'src/base/nearest.ts', 'src/base/selector.ts', 'src/base/turn.ts'],
    type: ['src/cluster', 'src/printers'],
  },
  'src/cluster': { value: ['src/decode', 'src/base/selector.ts'], type: ['src/model'] },
  'src/decode': { value: ['src/model'], type: [] },
  'src/model': { value: [], type: [] },
  'src/printers': { value: [], type: ['src/model'] },
};

/** The one room that may import a package; packages not listed here may be imported by none. */
const packages: Readonly<Record<string, readonly string[]>> = {
  yargs: ['src/argv'],
  chalk: ['src/printers'],
  'string-width': ['src/printers'],
  'js-yaml': ['src/printers', 'src/decode', 'src/cluster'],
  protobufjs: ['src/decode'],
  '@kubernetes/client-node': ['src/cluster'],
  ws: ['src/cluster'],
  'tar-stream': ['src/cluster'],
  'p-map': ['src/commands', 'src/cluster'],
  'ipaddr.js': ['src/model'],
};

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('rooms', () => {
  test('the reader of import lines finds them', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(imports.some(({ target }) => target === 'src/base/errors.ts')).toBe(true);
    expect(imports.some(({ target }) => packageOf(target) === 'yargs')).toBe(true);
  });

  test('import only what they may', () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith('src/') || target.startsWith('bin/'))
      .filter(({ file, target, typeOnly }) => {
        const from = roomOf(file);
        const to = roomOf(target);
        if (from === to || to === 'src/base/errors.ts') return false;
        const may = allowed[from];
        return !(may?.value.includes(to) || (typeOnly && may?.type.includes(to)));
      });
    expect(wrong).toEqual([]);
  });

  test('use a package only where it belongs', () => {
    const wrong = imports
      .filter(
        ({ target }) =>
          !target.startsWith('src/') && !target.startsWith('bin/') && !target.startsWith('node:'),
      )
      .filter(({ file, target }) => !packages[packageOf(target)]?.includes(roomOf(file)));
    expect(wrong).toEqual([]);
  });

  test('only the cluster room and bin touch network, files and processes', () => {
    const effects = /^node:(fs|net|tls|http|https|dns|child_process|process|os)\b/;
    const wrong = imports.filter(
      ({ file, target, typeOnly }) =>
        effects.test(target) && !typeOnly && !['src/cluster', 'bin'].includes(roomOf(file)),
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
