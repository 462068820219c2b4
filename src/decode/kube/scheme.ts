// Which message holds which kind of Kubernetes object.

import { ALL_KINDS, apiVersionOf, type MessageName } from '../../model/kinds.ts';
import { MESSAGES } from '../generated/messages.ts';
import type { Message } from './message.ts';

export interface SchemeEntry {
  /** `group/version`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** For an object on its own. */
  readonly object: Message;
  /** For an item of a list, of which there may be thousands. */
  readonly item: Message;
}

/** One entry a kind and version; lists follow from their items. */
export const SCHEME: readonly SchemeEntry[] = [
  ...ALL_KINDS.flatMap(({ group, version, kind, message, otherVersions = {} }) =>
    Object.entries({ [version]: message, ...otherVersions }).map(([each, name]) =>
      entryOf(apiVersionOf({ group, version: each }), kind, messageOf(name)),
    ),
  ),
  entryOf('meta.k8s.io/v1', 'PartialObjectMetadata', messageOf('ztunnel.cut.Metadata')),
];

function messageOf(name: MessageName): Message {
  if (Object.hasOwn(MESSAGES, name)) return MESSAGES[name as keyof typeof MESSAGES];
  throw new Error(`proto/ has no message ${name}`);
}

function entryOf(apiVersion: string, kind: string, message: Message): SchemeEntry {
  return { apiVersion, kind, object: message, item: message };
}

/** What a list has besides its items. */
export const LIST_META: Message = MESSAGES['k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta'];

/** The answer that is no object: an error, or that something is done. */
export const STATUS: Message = MESSAGES['k8s.io.apimachinery.pkg.apis.meta.v1.Status'];

const BY_NAME: ReadonlyMap<string, SchemeEntry> = new Map(
  SCHEME.map((entry) => [`${entry.apiVersion}/${entry.kind}`, entry]),
);

/** The entry of a kind; undefined when this program does not read it. */
export function findEntry(apiVersion: string, kind: string): SchemeEntry | undefined {
  return BY_NAME.get(`${apiVersion}/${kind}`);
}
