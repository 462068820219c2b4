// How `decode` reads its inputs one after the other.

import type { JsonObject } from '../../base/json.ts';
import type { Encoding } from '../../decode/complete/encodings.ts';
import { decodeInput } from '../../decode/complete/input.ts';
import { knownKinds } from '../../decode/complete/kinds.ts';
import type { ObjectDocument } from '../../decode/complete/protobuf.ts';
import type { Report } from '../../printers/printer.ts';
import type { CommandContext } from '../spec/command.ts';
import { type Options, parseType, STDIN } from './command.ts';
import { createNotes, type Notes } from './report.ts';

export async function* run(options: Options, context: CommandContext): AsyncGenerator<Report> {
  if (options.listKinds) {
    yield reportOf(kindDocument(), [], 1);
    return;
  }
  const notes = createNotes(options.partial);
  const count = { documents: 0 };
  yield reportOf(decodeAll(options, context, notes, count), [], 1);
  // What is wrong with an object is known once it is printed.
  yield reportOf(nothing(), notes.failures(), count.documents);
}

/** Two reports make one output: the objects, then what was found while they were printed. */
function reportOf(
  objects: AsyncIterable<ObjectDocument>,
  failures: Report['failures'],
  rowCount: number,
): Report {
  const empty = failures.length > 0 ? undefined : 'There are no objects in it.';
  return {
    views: { objects: () => objects },
    rowCount,
    failures,
    warnings: [],
    summary: undefined,
    empty,
  };
}

async function* nothing(): AsyncGenerator<ObjectDocument> {}

async function* kindDocument(): AsyncGenerator<ObjectDocument> {
  const items: readonly JsonObject[] = knownKinds().map((kind) => ({ ...kind }));
  yield { head: { apiVersion: 'ztunnel.kubectl/v1', kind: 'KindList' }, items };
}

/** One input after the other; one that can't be read does not stop the others. */
async function* decodeAll(
  { words, type, encoding }: Options,
  { readInput, signal }: CommandContext,
  notes: Notes,
  count: { documents: number },
): AsyncGenerator<ObjectDocument> {
  for (const word of words.length === 0 ? [STDIN] : words) {
    const name = word === STDIN ? 'stdin' : word;
    try {
      const options = {
        type: type === undefined ? undefined : parseType(type),
        encoding: encoding as Encoding | undefined,
        findingsAt: (key: string) => notes.at(name, key),
      };
      for (const document of decodeInput(await readInput(word, signal), options)) {
        count.documents += 1;
        yield document;
      }
    } catch (thrown) {
      notes.add(name, thrown);
    }
  }
}
