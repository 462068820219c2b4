// Who we are to the API server: credentials got once, and once more when they are refused.

import type { ApiAnswer, RequestBounds } from './request.ts';
import { fetchAnswer } from './request.ts';
import type { Transport } from './transport.ts';

export interface Session {
  /** The transport, opened on first use; all callers share it. */
  transport(): Promise<Transport>;
  /** The transport after `stale` was refused (401): opened anew by the first who asks. */
  renew(stale: Transport): Promise<Transport>;
  close(): void;
}

export function openSession(open: () => Promise<Transport>): Session {
  let current: Promise<Transport> | undefined;
  const opened: Transport[] = [];
  const reopen = () => {
    current = open().then((transport) => {
      opened.push(transport);
      return transport;
    });
    return current;
  };
  const transport = () => current ?? reopen();
  return {
    transport,
    renew: async (stale) => ((await transport()) === stale ? reopen() : transport()),
    close: () => {
      for (const { agent } of opened) agent.destroy();
    },
  };
}

/** GETs with the session's credentials; a 401 may mean that they ran out, so they are renewed once. */
export async function fetchWithSession(
  session: Session,
  path: string,
  accept: string,
  bounds: RequestBounds & { readonly userAgent: string },
): Promise<ApiAnswer> {
  const headers = { Accept: accept, 'User-Agent': bounds.userAgent };
  const transport = await session.transport();
  const answer = await fetchAnswer(transport, path, headers, bounds);
  if (answer.status !== 401) return answer;
  return fetchAnswer(await session.renew(transport), path, headers, bounds);
}
