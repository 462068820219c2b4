// What becomes of texts, objects and dumps on their way into a snapshot: they are kept, or redacted.

import { AbsentError, ForbiddenError, UserError } from '../../base/errors.ts';
import { createDumpReader } from '../../decode/dump/configdump.ts';
import type { SavedFailure, SavedZtunnel } from '../../decode/manifest.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { Ztunnel } from '../../model/types.ts';
import { findImageTag } from '../../model/ztunnels/image.ts';

/** What is said of a ztunnel whether it answers or not. */
export type SavedIdentity = Pick<SavedZtunnel, 'namespace' | 'name' | 'node' | 'version'>;

export interface Keeping {
  readonly ztunnel: (ztunnel: Ztunnel) => SavedIdentity;
  readonly object: <T extends KubeObject>(object: T) => T;
  readonly namespace: (name: string) => string;
  /** A sentence that may hold anything; undefined if it is not kept. */
  readonly sentence: (text: string) => string | undefined;
  /** What is no UserError is a bug, and thrown on. */
  readonly failure: (error: unknown) => SavedFailure;
  /** For one dump. */
  readonly inspect: () => Inspection;
  /** How many dumps may be on their way at once. */
  readonly atOnce: number;
}

/** Looks at a dump on its way into the snapshot. */
export interface Inspection {
  /** What is to be written. What ends the chunks early is thrown on, after what had come. */
  readonly watch: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** What is known once all is written: its version, and why it is no config dump. */
  readonly end: () => { readonly version: string | undefined; readonly problem: UserError | undefined };
}

/** Keeps all but the API server's address: it is nobody's business who gets the snapshot. */
export function keepAll(server: string | undefined): Keeping {
  const hide = hider(server);
  return {
    ztunnel: ({ namespace, name, node, pod }) => {
      const version = (pod && findImageTag(pod)) ?? null;
      return { namespace: namespace ?? '', name, node, version };
    },
    object: (object) => object,
    namespace: (name) => name,
    sentence: hide,
    failure: (error) => {
      const { message, hint, ...kind } = describeFailure(error);
      return { message: hide(message), hint: hide(hint), ...kind };
    },
    inspect,
    atOnce: 8,
  };
}

/** As the user is told of it. What is no UserError is a bug, and thrown on. */
export function describeFailure(error: unknown): SavedFailure {
  if (!(error instanceof UserError)) throw error;
  const { message, hint } = error;
  return {
    message,
    hint,
    forbidden: error instanceof ForbiddenError,
    ...(error instanceof AbsentError && { absent: true as const }),
  };
}

function hider(server: string | undefined): (text: string) => string {
  const url = server === undefined ? null : URL.parse(server);
  if (server === undefined || url === null) return (text) => text;
  const spellings = [
    `the API server ${server}`,
    server,
    url.host,
    ...(isLoopback(url) ? [] : [url.hostname]),
  ];
  return (text) =>
    spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, 'the API server'), text);
}

/** An address that a ztunnel's own words may hold, too. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Reads along whether it is a config dump, to its end; what is none is kept as far as it took to know. */
function inspect(): Inspection {
  const reader = createDumpReader({ sections: new Set(['version']), keepRaw: false, toTheEnd: true });
  let problem: UserError | undefined;
  return {
    async *watch(chunks) {
      for await (const chunk of chunks) {
        yield chunk;
        problem = attempt(() => void reader.write(chunk));
        if (problem !== undefined) return;
      }
    },
    end: () => {
      let version: string | undefined;
      problem ??= attempt(() => {
        version = reader.end().version;
      });
      return { version, problem };
    },
  };
}

function attempt(action: () => void): UserError | undefined {
  try {
    action();
  } catch (thrown) {
    if (thrown instanceof UserError) return thrown;
    throw thrown;
  }
  return undefined;
}
