// The ways in which an API path or a ztunnel can be told to misbehave.

/** A Status in the client's encoding; on a ztunnel's port-forward, a refused upgrade. */
export interface Refuse {
  readonly how: 'refuse';
  readonly status: number;
  readonly message: string;
  /** Sent as plain text, as a kubelet or a proxy in between does. */
  readonly plain?: boolean;
}

/** Never goes on: before the answer begins, before the first byte of a ztunnel's answer, or amid its body. */
export interface Hang {
  readonly how: 'hang';
  readonly at: 'handshake' | 'first-byte' | 'body';
}

/** Ends after so many bytes of the body, with or without having announced its length. */
export interface Cut {
  readonly how: 'cut';
  readonly after: number;
  readonly contentLength: boolean;
}

/** Some other answer: an HTTP error, a page of HTML, anything. */
export interface Reply {
  readonly how: 'reply';
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string | Uint8Array;
}

/** Bytes that aren't HTTP at all. Ztunnels only. */
export interface Raw {
  readonly how: 'raw';
  readonly bytes: string | Uint8Array;
}

/** The right body, so many bytes at a time. */
export interface Drip {
  readonly how: 'drip';
  readonly bytes: number;
  readonly everyMs: number;
}

/** So many bytes of a JSON body that never comes to its point; sent as fast as they are taken. */
export interface Huge {
  readonly how: 'huge';
  readonly bytes: number;
}

/** The TCP connection ends without a word. */
export interface Reset {
  readonly how: 'reset';
}

/** A text on the port-forward's error channel; the default is that nothing listens on the port. Ztunnels only. */
export interface ErrorChannel {
  readonly how: 'error-channel';
  readonly text?: string;
}

/** The pod was deleted after it was listed. Ztunnels only. */
export interface Gone {
  readonly how: 'gone';
}

/** Continue tokens are too old: 410. API paths only. */
export interface ExpireContinue {
  readonly how: 'expire-continue';
}

export type Misbehaviour = (
  | Refuse
  | Hang
  | Cut
  | Reply
  | Raw
  | Drip
  | Huge
  | Reset
  | ErrorChannel
  | Gone
  | ExpireContinue
) & {
  /** How often before behaving again; for good by default. */
  readonly times?: number;
};

/** What each target is told to do: an API path (`/api/v1/pods`) or the `namespace/name` of a ztunnel's pod. */
export interface Misbehaviours {
  set(target: string, what: Misbehaviour | undefined): void;
  /** What to do this time; counts it. With `applies`, other kinds neither apply nor count. */
  take(target: string, applies?: (what: Misbehaviour) => boolean): Misbehaviour | undefined;
}

export function createMisbehaviours(): Misbehaviours {
  const byTarget = new Map<string, { readonly what: Misbehaviour; left: number }>();
  return {
    set(target, what) {
      if (what === undefined) byTarget.delete(target);
      else byTarget.set(target, { what, left: what.times ?? Number.POSITIVE_INFINITY });
    },
    take(target, applies = () => true) {
      const entry = byTarget.get(target);
      if (entry === undefined || entry.left <= 0 || !applies(entry.what)) return undefined;
      entry.left -= 1;
      return entry.what;
    },
  };
}
