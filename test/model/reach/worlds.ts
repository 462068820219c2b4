// The worlds that tests of reaching start from: recorded ones, read as the program reads them, and made ones.

import { readFileSync } from 'node:fs';
import { createVerification } from '../../../src/model/reach/chainverification.ts';
import { createReachWorld, type ReachWorld } from '../../../src/model/reach/world.ts';
import type { Answer, Failure } from '../../../src/model/types.ts';
import { readDump } from '../../decode/readdump.ts';
import { ztunnel } from '../values.ts';

export const TESTDATA = new URL('../../testdata/', import.meta.url);

/** One dump of test/testdata, as the answer of a ztunnel of its own node. */
export function readAnswer(path: string): Answer {
  const dump = readDump(readFileSync(new URL(`${path}.config_dump.json`, TESTDATA)));
  const node = dump.config.localNode ?? '';
  return { ztunnel: ztunnel(`ztunnel-${node}`, node), dump };
}

export function worldOf(
  answers: readonly Answer[],
  at: number,
  values: { readonly failures?: readonly Failure[] } = {},
): ReachWorld {
  return createReachWorld({
    answers,
    failures: values.failures ?? [],
    at,
    verification: createVerification(at),
  });
}

/** Both nodes of a moment of the real mesh. */
export function readMoment(path: string, at: number): ReachWorld {
  return worldOf(
    ['node-a', 'node-b'].map((node) => readAnswer(`${path}/${node}`)),
    at,
  );
}
