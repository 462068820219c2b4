// What help looks like: one screen for each command, examples first, in the words that a user types.

import { describe, expect, test } from '@jest/globals';
import stringWidth from 'string-width';
import { inColumns, withComments, wrapItems, wrapWords } from '../../src/base/text.ts';
import { parseArgv } from '../../src/cli/argv/argv.ts';
import { renderHelp } from '../../src/cli/argv/help.ts';
import { commands } from '../../src/commands/index.ts';
import { expectGolden } from '../golden.ts';
import { run } from '../program.ts';

const all = [undefined, ...commands].map((command) => [command?.name ?? 'the program', command] as const);

describe.each(all)('help of %s', (_, command) => {
  const lines = renderHelp(command, commands).trimEnd().split('\n');

  test('is one screen', () => {
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
  });

  test('begins with examples, after one sentence', () => {
    expect([lines[1], lines[2]]).toEqual(['', 'Examples:']);
    expect(lines.findIndex((line) => line.startsWith('Usage:'))).toBeGreaterThan(3);
  });

  test('says what users type, without space at the end of lines', () => {
    expect(lines.filter((line) => line.includes('kubectl-ztunnel '))).toEqual([]);
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
  });

  test('has examples that the program takes', () => {
    for (const { args } of command?.examples ?? []) {
      const [argv] = args.split(/ [|>]+ /);
      expect([args, parseArgv(argv!.split(' '), commands).type]).toEqual([
        args,
        expect.not.stringMatching('error'),
      ]);
    }
  });
});

test('help of certs as a whole', () => {
  expectGolden(
    'argv',
    'help-certs',
    renderHelp(
      commands.find(({ name }) => name === 'certs'),
      commands,
    ),
  );
});

test('options says what each flag is for that all commands share', async () => {
  const { code, stdout } = await run('options');
  expectGolden('argv', 'options', stdout);
  expect(code).toBe(0);
});

describe('the layout', () => {
  test('puts a name that is too long above its text, and wraps the text', () => {
    const long = 'twelve words that do not all fit into one line of eighty columns at all';
    expect(
      inColumns(
        [
          ['a', 'short'],
          ['a-name-of-18-chars', long],
        ],
        10,
      ),
    ).toEqual(['  a  short', '  a-name-of-18-chars', `     ${long}`]);
    expect(inColumns([['a-name-of-18-chars', long]], 20)).toEqual([
      '  a-name-of-18-chars  twelve words that do not all fit into one line of eighty',
      '                      columns at all',
    ]);
  });

  test('puts comments beside commands where they fit, else above', () => {
    const long = 'x'.repeat(60);
    expect(
      withComments([
        ['short', 'said'],
        [long, 'what it is for, which is long'],
      ]),
    ).toEqual(['  short  # said', '  # what it is for, which is long', `  ${long}`]);
    expect(
      withComments([
        ['short', 'said'],
        ['longer', 'too'],
      ]),
    ).toEqual(['  short   # said', '  longer  # too']);
  });

  test('divides lines between items, and never in one', () => {
    expect(wrapItems(['--a B', '--c D'], 12)).toEqual(['--a B  --c D']);
    expect(wrapItems(['--a B', '--c D'], 11)).toEqual(['--a B', '--c D']);
    expect(wrapWords('to be or not', 5)).toEqual(['to be', 'or', 'not']);
  });
});
