// What a dump says of a pod that its ztunnel captures: who it is, and its open connections.

import type { Json, JsonObject } from '../../base/json.ts';
import type { CapturedPod, Connection } from '../../model/dump.ts';
import { fieldOf, listOf, objectOf, textOf, within } from './fields.ts';

/** `originalDst` is null where the client's wish is not known. */
function decodeConnection(value: Json, keepRaw: boolean): Connection {
  const object = objectOf(value);
  return {
    source: textOf(object, 'src'),
    originalDestination: textOf(object, 'originalDst'),
    actualDestination: textOf(object, 'actualDst'),
    protocol: textOf(object, 'protocol'),
    raw: keepRaw ? object : undefined,
  };
}

function connectionsOf(object: JsonObject, keepRaw: boolean): CapturedPod['connections'] {
  const sent = fieldOf(object, 'connections');
  if (sent === undefined) return { inbound: [], outbound: [] };
  const both = objectOf(sent, 'connections');
  const decode = (direction: string) =>
    within('connections', () =>
      (listOf(both, direction) ?? []).map((value, index) =>
        within(`${direction}[${index}]`, () => decodeConnection(value, keepRaw)),
      ),
    );
  return { inbound: decode('inbound'), outbound: decode('outbound') };
}

/** A pod that this ztunnel captures; `key` is the Kubernetes pod UID. `info` is optional until 1.23. */
export function decodeCapturedPod(value: Json, keepRaw: boolean, key: string): CapturedPod {
  const object = objectOf(value);
  const info = fieldOf(object, 'info');
  const about = info === undefined ? {} : objectOf(info, 'info');
  return {
    uid: key,
    state: textOf(object, 'state'),
    ...within('info', () => ({
      name: textOf(about, 'name') || undefined,
      namespace: textOf(about, 'namespace') || undefined,
      serviceAccount: textOf(about, 'serviceAccount') || undefined,
    })),
    connections: connectionsOf(object, keepRaw),
    raw: keepRaw ? object : undefined,
  };
}
