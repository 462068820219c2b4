// A server that says what it is told to, in this process: a connection without a network.

import http from 'node:http';
import { Duplex } from 'node:stream';

/** What the server says once it has heard the head of a request. */
export type Say = (head: string) => Uint8Array;

/** The client's end. The server hangs up when it has spoken. */
export function connectionTo(say: Say): Duplex {
  let heard = '';
  let said = false;
  const duplex: Duplex = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      heard += chunk.toString('latin1');
      if (!said && heard.includes('\r\n\r\n')) {
        said = true;
        // What a real connection does: later, and in pieces.
        setImmediate(() => {
          const bytes = say(heard);
          const middle = bytes.length >> 1;
          for (const piece of [bytes.subarray(0, middle), bytes.subarray(middle)]) {
            if (piece.length > 0 && !duplex.destroyed) duplex.push(piece);
          }
          if (!duplex.destroyed) duplex.push(null);
        });
      }
      done();
    },
  });
  // node:http and ws call these of a socket.
  return Object.assign(duplex, {
    setTimeout: () => duplex,
    setNoDelay: () => duplex,
    setKeepAlive: () => duplex,
    ref: () => duplex,
    unref: () => duplex,
  });
}

/** For what opens its connections through an agent. */
export class SayingAgent extends http.Agent {
  readonly #say: Say;

  constructor(say: Say) {
    super({ keepAlive: false });
    this.#say = say;
  }

  override createConnection(): Duplex {
    return connectionTo(this.#say);
  }
}
