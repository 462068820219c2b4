// The table of chains: what is said of each, and what OpenSSL says of the same one.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { splitChain } from '../../../src/model/certificates/chain.ts';
import { chooseTrust } from '../../../src/model/certificates/choice.ts';
import { createVerification } from '../../../src/model/certificates/verification.ts';
import { createCertificateReader } from '../../../src/model/certificates/x509.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { available } from '../values.ts';
import { type Made, START } from './maker.ts';
import { ROWS, type Row } from './table.ts';

const read = createCertificateReader();
const { presentedBy, verifierOf, verify } = createVerification();

function judge({ chain, roots, provider }: Row): string | undefined {
  const listed = (made: readonly Made[]) => made.map((one) => one.listed);
  const split = splitChain(available(listed(chain), listed(roots)), read);
  const search = verify(presentedBy(split, () => [])!, verifierOf(split, provider ?? 'tls-aws-lc'));
  return chooseTrust(split, search, START).problem?.text;
}

test('there are at least 40 chains, each with a name of its own', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
});

describe('rustls', () => {
  test.each(ROWS)('$name', (row) => {
    const problem = judge(row);
    if (row.says === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(row.says);
  });
});

const openssl = spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout?.startsWith('OpenSSL 3');
/** Where there is none, nothing is compared. */
const compared = openssl ? describe : describe.skip;

compared('OpenSSL says the same, or the table says why not', () => {
  const directory = temporaryDirectory();
  test.each(ROWS.map((row, index) => [row.name, row, index] as const))('%s', (_name, row, index) => {
    const file = (name: string, made: readonly Made[]) => {
      const place = path.join(directory, `${index}-${name}.pem`);
      writeFileSync(place, made.map(({ pem }) => pem).join(''));
      return place;
    };
    const [leaf, ...others] = row.chain;
    const args = [
      ...['verify', '-partial_chain', '-attime', String(START / 1000)],
      ...['-CAfile', file('roots', row.roots)],
      ...(others.length === 0 ? [] : ['-untrusted', file('untrusted', others)]),
    ];
    const answers = ['sslserver', 'sslclient'].map((purpose) =>
      spawnSync('openssl', [...args, '-purpose', purpose, file('leaf', [leaf!])], { encoding: 'utf8' }),
    );
    const isTaken = answers.every(({ status }) => status === 0);
    const said = `${isTaken ? 'taken' : answers.map(({ stderr }) => stderr).join('')}`;
    const isSame = isTaken === (row.says === undefined);
    expect(isSame ? 'the same' : `differs: ${said}`).toMatch(
      row.differs === undefined ? /^the same$/ : /^differs/,
    );
  });
});
