// Which encoding a client takes: the Accept header as the API server negotiates it.

export const JSON_TYPE = 'application/json';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

export interface Encoding {
  readonly contentType: typeof JSON_TYPE | typeof PROTOBUF_TYPE;
  /** Only the metadata of each object. */
  readonly partial: boolean;
}

const PLAIN_JSON: Encoding = { contentType: JSON_TYPE, partial: false };
const TYPES: Readonly<Record<string, Encoding['contentType']>> = {
  [JSON_TYPE]: JSON_TYPE,
  [PROTOBUF_TYPE]: PROTOBUF_TYPE,
  '*/*': JSON_TYPE,
  'application/*': JSON_TYPE,
};
/** Forms besides the whole object; Tables are not served, as by a server that lacks them. */
const FORMS: Readonly<Record<string, boolean>> = {
  PartialObjectMetadataList: true,
  PartialObjectMetadata: true,
};

/** The best clause that the server can serve, by `q` and then by order; undefined if it can serve none. */
export function negotiate(accept: string | undefined): Encoding | undefined {
  if (accept === undefined || accept.trim() === '') return PLAIN_JSON;
  const clauses = accept.split(',').map(parseClause);
  // Array.sort is stable: equal weights keep the client's order.
  for (const { type, parameters } of clauses.sort((a, b) => b.weight - a.weight)) {
    const contentType = TYPES[type];
    const form = parameters.get('as');
    if (contentType === undefined) continue;
    if (form === undefined) return { contentType, partial: false };
    const served = FORMS[form] && parameters.get('g') === 'meta.k8s.io' && parameters.get('v') === 'v1';
    if (served) return { contentType, partial: true };
  }
  return undefined;
}

function parseClause(clause: string): { type: string; parameters: Map<string, string>; weight: number } {
  const [type = '', ...rest] = clause.split(';').map((part) => part.trim());
  const parameters = new Map(
    rest.map((part): [string, string] => {
      const [key = '', value = ''] = part.split('=');
      return [key.trim(), value.trim()];
    }),
  );
  return { type, parameters, weight: Number(parameters.get('q') ?? 1) };
}
