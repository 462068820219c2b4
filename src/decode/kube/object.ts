// What bytes that should hold Kubernetes objects do hold, in whatever encoding they came.

import { UserError } from '../../base/errors.ts';
import { compareText } from '../../base/order.ts';
import type { KubeObject } from '../../model/kubernetes.ts';
import type { KubeDocument, OnUnknown } from './document.ts';
import { decodeKubeJson } from './kubejson.ts';
import { decodeKubeProtobuf, hasMagic } from './kubeproto.ts';
import { decodeJsonText, decodeText, decodeYamlText, MAX_BYTES } from './kubetext.ts';

export type { KubeDocument, KubeList, KubeStatus, KubeStatusCause } from './document.ts';

type Decode = (bytes: Uint8Array, onUnknown: OnUnknown) => KubeDocument | undefined;

const decodeProtobuf: Decode = (bytes, onUnknown) => {
  if (hasMagic(bytes)) return decodeKubeProtobuf(bytes, onUnknown);
  throw new UserError(
    'this should be Kubernetes protobuf, but does not begin with its four bytes k8s\\0',
    'Is something between here and the API server that changes its answers?',
  );
};

const decodeJson: Decode = (bytes, onUnknown) => {
  const text = decodeText(bytes);
  return decodeKubeJson(decodeJsonText(text), { onUnknown, budget: { left: text.length } });
};

const BY_MEDIA_TYPE: Readonly<Record<string, Decode>> = {
  'application/vnd.kubernetes.protobuf': decodeProtobuf,
  'application/json': decodeJson,
};

/** `text/html; charset=utf-8` → `text/html` */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Proxies and login pages answer in HTML; the API server itself sometimes in one line of plain text. */
function refuseMediaType(mediaType: string, bytes: Uint8Array): UserError {
  const shown = JSON.stringify(mediaType.slice(0, 100));
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trim();
  const said = mediaType === 'text/plain' && start !== '' ? `: ${JSON.stringify(start)}` : '';
  return new UserError(
    `the answer is ${shown} and no Kubernetes object${said}`,
    'Check that the kubeconfig points at the API server itself, and that no proxy or login page answers for it.',
  );
}

function refuseKind(apiVersion: string, kind: string): never {
  throw new UserError(
    `objects of kind ${JSON.stringify(kind)} in ${JSON.stringify(apiVersion)} are not read here`,
    'Pods, Namespaces, ReplicaSets, Jobs, StatefulSets, Leases, ServiceEntries and DestinationRules are.',
  );
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new UserError('the input is empty', 'Fetch or save the objects again.');
  if (bytes.length > MAX_BYTES) {
    throw new UserError(`this is larger than ${MAX_BYTES} bytes`, 'Split it, for example by namespace.');
  }
}

/**
 * An answer of the API server, or a value as etcd stores it. `contentType` is the HTTP header and decides;
 * undefined means that the bytes themselves do: the magic of protobuf, else JSON. Both encodings give equal objects:
 * the API server's JSON cut to the fields of the kind's message (scheme.ts), with empty fields left out as there.
 * Times are RFC 3339 in UTC. Numbers of 64 bits are numbers up to 2^53 and decimal text beyond.
 * Throws UserError on anything else, naming the offset or path.
 */
export function decodeKube(bytes: Uint8Array, contentType: string | undefined): KubeDocument {
  checkSize(bytes);
  const byBytes = hasMagic(bytes) ? decodeProtobuf : decodeJson;
  const mediaType = mediaTypeOf(contentType ?? '');
  const decode =
    contentType === undefined
      ? byBytes
      : Object.entries(BY_MEDIA_TYPE).find(([type]) => type === mediaType)?.[1];
  if (decode === undefined) throw refuseMediaType(mediaType, bytes);
  const document = decode(bytes, refuseKind);
  if (document === undefined) throw new Error('a kind was neither read nor refused');
  return document;
}

/** JSON if it begins like an object of it, as kubectl decides; else YAML, of which there may be several documents. */
function decodeDocuments(bytes: Uint8Array, onUnknown: OnUnknown): readonly (KubeDocument | undefined)[] {
  if (hasMagic(bytes)) return [decodeKubeProtobuf(bytes, onUnknown)];
  const text = decodeText(bytes);
  const values = /^\s*[{[]/.test(text) ? [decodeJsonText(text)] : decodeYamlText(text);
  const reading = { onUnknown, budget: { left: text.length } };
  return values.map((value) => decodeKubeJson(value, reading));
}

function objectsOf(document: KubeDocument | undefined): readonly KubeObject[] {
  if (document === undefined) return [];
  if (document.type === 'object') return [document.object];
  if (document.type === 'list') return document.items;
  const { message, reason } = document.status;
  throw new UserError(
    `this is the API server's answer ${JSON.stringify(message || reason)} and no object`,
    'Save the objects again, and look at what the command says.',
  );
}

/**
 * A file of saved objects: protobuf, JSON, or YAML; single, `List` or typed list, cut as by decodeKube. Kinds that
 * are not read here are left out and named in `skipped` as `apps/v1/Deployment`, each once and sorted.
 * Throws UserError, which does not name the file.
 */
export function decodeResources(bytes: Uint8Array): {
  readonly objects: readonly KubeObject[];
  readonly skipped: readonly string[];
} {
  checkSize(bytes);
  const skipped = new Set<string>();
  const documents = decodeDocuments(bytes, (apiVersion, kind) => skipped.add(`${apiVersion}/${kind}`));
  return { objects: documents.flatMap(objectsOf), skipped: [...skipped].sort(compareText) };
}
