// The limits that docs/security.md states are those of the code, all of them.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

/** A number of the code: `16 * 1024 * 1024`. */
const CONSTANT = /^(?:export )?const (MAX_\w+) = ([\d_ *+]+);/gm;
/** No limit of what comes from outside: how far clocks may differ. */
const OTHERS = ['src/sources/kubernetes/referencetime.ts MAX_SKEW_MS'];

const UNITS: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

function limitsOfCode(): ReadonlyMap<string, number> {
  const limits = ['decode', 'sources'].flatMap((room) => {
    const names = readdirSync(path.join(ROOT, 'src', room), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
      .map((name) => `src/${room}/${name.replaceAll(path.sep, '/')}`)
      .flatMap((file) =>
        [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(CONSTANT)].map(
          ([, name, expression]) => [`${file} ${name}`, evaluate(expression!)] as const,
        ),
      );
  });
  return new Map(limits.filter(([name]) => !OTHERS.includes(name)));
}

/** Products and powers of whole numbers, and what is added to them. */
function evaluate(expression: string): number {
  const [product = '', ...added] = expression.replaceAll('_', '').split('+');
  const factors = product.split(/(?<!\*)\*(?!\*)/).map((factor) => {
    const [base, power = '1'] = factor.split('**');
    return Number(base) ** Number(power);
  });
  return added.map(Number).reduce(
    (a, b) => a + b,
    factors.reduce((a, b) => a * b, 1),
  );
}

function limitsOfPage(): ReadonlyMap<string, number> {
  const rows = page.matchAll(/^\|[^|]+\| ([\d,]+)(?: (\w+))? \| `([^`]+)` `([^`]+)` \|$/gm);
  return new Map(
    [...rows].map(([, digits, unit, file, name]) => {
      const number = Number(digits!.replaceAll(',', '')) * (unit === undefined ? 1 : UNITS[unit]!);
      return [`${file} ${name}`, number];
    }),
  );
}

test('both hold the same limits', () => {
  const code = limitsOfCode();
  expect(code.size).toBeGreaterThan(30);
  expect(Object.fromEntries(limitsOfPage())).toEqual(Object.fromEntries(code));
});
