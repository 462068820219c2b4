// The shapes of what is written as JSON or YAML: our own documents, config dumps and Kubernetes objects.

import type { Json, JsonObject } from '../base/json.ts';

/** The document of `-o json` and `-o yaml`. Items may be produced while they are written. */
export interface Document {
  readonly apiVersion: 'ztunnel.kubectl/v1';
  readonly kind: string;
  readonly reference: JsonObject;
  /** Where several clusters were asked. */
  readonly clusters?: readonly JsonObject[] | undefined;
  readonly items: Iterable<JsonObject>;
  readonly summary: JsonObject;
  readonly failures: readonly JsonObject[];
}

/** A whole config dump as it was sent: its bytes, or the value of its JSON (large numbers made by JSON.rawJSON). */
export interface DumpItem {
  readonly ztunnel: JsonObject;
  readonly chunks?: readonly Uint8Array[];
  readonly value?: Json;
}

/** Config dumps, read while they are written. */
export interface DumpDocument {
  /** True when the one dump is all of the output; else there is a list of them. */
  readonly bare: boolean;
  readonly apiVersion: 'ztunnel.kubectl/v1';
  readonly kind: string;
  readonly reference: JsonObject;
  readonly items: AsyncIterable<DumpItem>;
  /** What is known once the items have ended. */
  readonly end: () => { readonly summary: JsonObject; readonly failures: readonly JsonObject[] };
}

/** A Kubernetes object, or a list of them whose items are read while they are written. */
export interface ObjectDocument {
  /** In the order of JSON; without the items. */
  readonly head: JsonObject;
  /** undefined for what is no list. */
  readonly items?: Iterable<JsonObject>;
}
