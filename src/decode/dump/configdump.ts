// How the bytes of a ztunnel's config dump, of any release, become a ConfigDump.

import { UserError } from '../../base/errors.ts';
import type { ConfigDump } from '../../model/dump.ts';
import { createJsonScanner } from '../json/jsonscan.ts';
import { createContent } from './content.ts';
import { explainNotADump, HEAD_BYTES } from './notadump.ts';
import type { DumpReaderOptions } from './reading.ts';

/** The most bytes that are read of one dump: a mesh of 100,000 workloads has 70 MB, this is 15 times that. */
export const MAX_DUMP_BYTES = 1024 * 1024 * 1024;

export interface DumpReader {
  /**
   * Takes the next bytes, in chunks of any size. True once every section asked for is whole: the caller may stop
   * and close. Throws UserError as soon as the input cannot be a config dump.
   */
  write(chunk: Uint8Array): boolean;
  /** Throws UserError when nothing usable came, or the input broke off inside what was asked for. */
  end(): ConfigDump;
  /** The sections that came whole, after `write` or `end` has thrown, or instead of them. */
  rescue(): ConfigDump;
}

/** Makes a reader for one config dump. It holds what was asked for, and of the rest one chunk. */
export function createDumpReader(options: DumpReaderOptions): DumpReader {
  const content = createContent(options);
  const scanner = createJsonScanner(content.handler);
  let head: Buffer | undefined = Buffer.alloc(0); // the first bytes, until there are enough of them to judge
  let total = 0;
  let stopped = false;

  function judgeHead(first: Buffer): void {
    head = undefined;
    const error = explainNotADump(first.subarray(0, HEAD_BYTES));
    if (error !== undefined) throw error;
    stopped = scanner.write(first);
  }

  return {
    write(chunk) {
      if (stopped) return true;
      total += chunk.length;
      if (total > MAX_DUMP_BYTES) {
        throw new UserError(
          `the config dump has more than ${MAX_DUMP_BYTES} bytes`,
          'No mesh is known to be that large: check where the file comes from.',
        );
      }
      if (head === undefined) {
        stopped = scanner.write(chunk);
        return stopped;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length >= HEAD_BYTES) judgeHead(head);
      return stopped;
    },
    end() {
      if (head !== undefined) judgeHead(head);
      return content.dump(scanner.position(), stopped);
    },
    rescue: content.rescue,
  };
}
