// How ztunnel's log levels are asked for and changed.

import { UserError } from '../../base/errors.ts';
import type { DumpRequest } from '../cluster.ts';
import { fetchAdmin, type OpenConnection } from './http.ts';

/** ztunnel answers with a line for each logger; more is no such answer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** `/logging` takes POST only, for reading too. Throws UserError. */
export async function postLogging(
  open: OpenConnection,
  query: string,
  request: DumpRequest,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of fetchAdmin(open, { path: `/logging${query}`, method: 'POST', ...request })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new UserError(
        `the answer has more than ${MAX_ANSWER_BYTES} bytes`,
        'Check that the port is the admin port of a ztunnel (--proxy-admin-port).',
      );
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
