// What AuthorizationPolicies and PeerAuthentications say, read from their YAML or JSON.

import type { Json, JsonObject } from '../../base/json.ts';

export type PolicyKind = 'AuthorizationPolicy' | 'PeerAuthentication';
export type Labels = Readonly<Record<string, string>>;

export interface PolicyRef {
  readonly kind: PolicyKind;
  readonly namespace: string;
  readonly name: string;
}

interface PolicyObject extends PolicyRef {
  /** RFC 3339; '' for one that is not in the cluster yet. */
  readonly created: string;
  readonly hasSelector: boolean;
  /** Its `matchLabels`; undefined where it has none, or there is no selector. */
  readonly selector: Labels | undefined;
}

/** The lists of a source, operation or condition that are there, by field. */
export type Lists = Readonly<Record<string, readonly string[]>>;

export interface WhenSpec {
  readonly key: string;
  /** `values` and `notValues`. */
  readonly lists: Lists;
}

export interface RuleSpec {
  /** undefined in an element stands for a `from` without a `source`. */
  readonly from: readonly (Lists | undefined)[] | undefined;
  readonly to: readonly (Lists | undefined)[] | undefined;
  readonly when: readonly WhenSpec[];
}

export interface AuthorizationPolicy extends PolicyObject {
  readonly kind: 'AuthorizationPolicy';
  readonly action: string;
  /** It is for waypoints, or other gateways. */
  readonly hasTargets: boolean;
  /** The annotation `istio.io/dry-run`, '' without it. */
  readonly dryRun: string;
  /** undefined without `rules`. */
  readonly rules: readonly RuleSpec[] | undefined;
}

export const MODES = ['UNSET', 'DISABLE', 'PERMISSIVE', 'STRICT'] as const;
export type Mode = (typeof MODES)[number];

export interface PeerAuthentication extends PolicyObject {
  readonly kind: 'PeerAuthentication';
  readonly mode: Mode;
  /** By port, ascending; undefined without `portLevelMtls`. */
  readonly ports: readonly { readonly port: number; readonly mode: Mode }[] | undefined;
}

/** An object as it would be stored, or why the API server would refuse it. */
export type ReadObject =
  | {
      readonly object: AuthorizationPolicy | PeerAuthentication;
      /** Paths of fields that Istio does not have: the API server refuses or drops them. */
      readonly unknownFields: readonly string[];
    }
  | { readonly object: undefined; readonly problems: readonly string[] };

const SOURCE_FIELDS = bothWays(
  ...['principals', 'requestPrincipals', 'namespaces', 'serviceAccounts', 'ipBlocks', 'remoteIpBlocks'],
  'trustDomains',
);
const OPERATION_FIELDS = bothWays('hosts', 'ports', 'methods', 'paths');
const ACTIONS = ['ALLOW', 'DENY', 'AUDIT', 'CUSTOM'];

function bothWays(...fields: readonly string[]): ReadonlySet<string> {
  return new Set(fields.flatMap((field) => [field, `not${field[0]!.toUpperCase()}${field.slice(1)}`]));
}

/** Reads an object of one of the two kinds; `namespace` is for one that names none. undefined for other kinds. */
export function readPolicyObject(value: Json, namespace: string): ReadObject | undefined {
  const reader = createReader();
  const object = isObject(value) ? value : {};
  const read = READERS.get(String(object.kind));
  if (read === undefined || !String(object.apiVersion).startsWith('security.istio.io/')) return undefined;
  const result = read(object, namespace, reader);
  return reader.problems.length > 0
    ? { object: undefined, problems: reader.problems }
    : { object: result, unknownFields: reader.unknownFields };
}

type ObjectReader = (
  object: JsonObject,
  namespace: string,
  reader: Reader,
) => AuthorizationPolicy | PeerAuthentication;

const READERS: ReadonlyMap<string, ObjectReader> = new Map<PolicyKind, ObjectReader>([
  ['AuthorizationPolicy', readAuthorizationPolicy],
  ['PeerAuthentication', readPeerAuthentication],
]);

function readAuthorizationPolicy(object: JsonObject, namespace: string, reader: Reader): AuthorizationPolicy {
  const spec = reader.object(object.spec, 'spec') ?? {};
  reader.knows(spec, 'spec', ['selector', 'targetRef', 'targetRefs', 'action', 'provider', 'rules']);
  const action = reader.text(spec.action, 'spec.action') || 'ALLOW';
  if (!ACTIONS.includes(action))
    reader.problem('spec.action', `is ${action}, which is none of ${ACTIONS.join(', ')}`);
  const targets = reader.list(spec.targetRefs, 'spec.targetRefs') ?? [];
  return {
    ...readMetadata(object, spec, namespace, reader),
    kind: 'AuthorizationPolicy',
    action,
    hasTargets: targets.length > 0 || isObject(spec.targetRef),
    dryRun: annotationOf(object, 'istio.io/dry-run'),
    rules: reader
      .list(spec.rules, 'spec.rules')
      ?.map((rule, index) => readRule(rule, `spec.rules[${index}]`, reader)),
  };
}

function readRule(value: Json, path: string, reader: Reader): RuleSpec {
  const rule = reader.object(value, path) ?? {};
  reader.knows(rule, path, ['from', 'to', 'when']);
  const ends = (field: 'from' | 'to', inner: string, fields: ReadonlySet<string>) =>
    reader.list(rule[field], `${path}.${field}`)?.map((each, index) => {
      const at = `${path}.${field}[${index}]`;
      const end = reader.object(each, at) ?? {};
      reader.knows(end, at, [inner]);
      return end[inner] === undefined
        ? undefined
        : readLists(end[inner] ?? null, `${at}.${inner}`, fields, reader);
    });
  return {
    from: ends('from', 'source', SOURCE_FIELDS),
    to: ends('to', 'operation', OPERATION_FIELDS),
    when: (reader.list(rule.when, `${path}.when`) ?? []).map((each, index) => {
      const at = `${path}.when[${index}]`;
      const condition = reader.object(each, at) ?? {};
      const { key, ...rest } = condition;
      return {
        key: reader.text(key, `${at}.key`),
        lists: readLists(rest, at, new Set(['values', 'notValues']), reader),
      };
    }),
  };
}

function readLists(value: Json, path: string, fields: ReadonlySet<string>, reader: Reader): Lists {
  const object = reader.object(value, path) ?? {};
  reader.knows(object, path, [...fields]);
  return Object.fromEntries(
    Object.entries(object)
      .filter(([field]) => fields.has(field))
      .map(([field, list]) => [field, reader.texts(list, `${path}.${field}`)]),
  );
}

function readPeerAuthentication(object: JsonObject, namespace: string, reader: Reader): PeerAuthentication {
  const spec = reader.object(object.spec, 'spec') ?? {};
  reader.knows(spec, 'spec', ['selector', 'mtls', 'portLevelMtls']);
  const ports = reader.object(spec.portLevelMtls, 'spec.portLevelMtls');
  return {
    ...readMetadata(object, spec, namespace, reader),
    kind: 'PeerAuthentication',
    mode: readMode(spec.mtls, 'spec.mtls', reader),
    ports:
      ports &&
      Object.entries(ports)
        .map(([port, mtls]) => {
          const path = `spec.portLevelMtls.${port}`;
          if (!isPort(port)) reader.problem(path, 'is no port between 1 and 65535');
          return { port: Number(port), mode: readMode(mtls, path, reader) };
        })
        .sort((a, b) => a.port - b.port),
  };
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

function readMode(value: Json | undefined, path: string, reader: Reader): Mode {
  const mtls = reader.object(value, path) ?? {};
  reader.knows(mtls, path, ['mode']);
  const text = reader.text(mtls.mode, `${path}.mode`) || 'UNSET';
  const mode = MODES.find((each) => each === text);
  if (mode === undefined) reader.problem(`${path}.mode`, `is ${text}, which is none of ${MODES.join(', ')}`);
  return mode ?? 'UNSET';
}

function readMetadata(
  object: JsonObject,
  spec: JsonObject,
  namespace: string,
  reader: Reader,
): Omit<PolicyObject, 'kind'> {
  const metadata = reader.object(object.metadata, 'metadata') ?? {};
  const name = reader.text(metadata.name, 'metadata.name');
  if (name === '') reader.problem('metadata.name', 'is missing');
  const selector = reader.object(spec.selector, 'spec.selector');
  if (selector) reader.knows(selector, 'spec.selector', ['matchLabels']);
  const labels = reader.object(selector?.matchLabels, 'spec.selector.matchLabels');
  return {
    name,
    namespace: reader.text(metadata.namespace, 'metadata.namespace') || namespace,
    created: reader.text(metadata.creationTimestamp, 'metadata.creationTimestamp'),
    hasSelector: selector !== undefined,
    selector:
      labels &&
      Object.fromEntries(
        Object.entries(labels).map(([label, value]) => [
          label,
          reader.text(value, `spec.selector.matchLabels.${label}`),
        ]),
      ),
  };
}

function annotationOf(object: JsonObject, name: string): string {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  const annotations = isObject(metadata.annotations) ? metadata.annotations : {};
  const value = annotations[name];
  return typeof value === 'string' ? value : '';
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads what may be absent, and notes what is of a wrong type: the API server refuses such objects. */
interface Reader {
  readonly problems: readonly string[];
  readonly unknownFields: readonly string[];
  readonly problem: (path: string, complaint: string) => void;
  readonly knows: (object: JsonObject, path: string, fields: readonly string[]) => void;
  readonly object: (value: Json | undefined, path: string) => JsonObject | undefined;
  readonly list: (value: Json | undefined, path: string) => readonly Json[] | undefined;
  readonly text: (value: Json | undefined, path: string) => string;
  readonly texts: (value: Json | undefined, path: string) => readonly string[];
}

function createReader(): Reader {
  const problems: string[] = [];
  const unknownFields: string[] = [];
  const problem = (path: string, complaint: string) => void problems.push(`${path} ${complaint}`);
  /** null is like nothing there. */
  const read =
    <T>(expected: string, isIt: (value: Json) => boolean, nothing: T) =>
    (value: Json | undefined, path: string): T => {
      if (value === undefined || value === null) return nothing;
      if (!isIt(value))
        problem(path, `is ${describe(value)}, where ${expected} was expected${hintFor(value)}`);
      return isIt(value) ? (value as T) : nothing;
    };
  const text = read<string>('text', (value) => typeof value === 'string', '');
  const list = read<readonly Json[] | undefined>('a list', Array.isArray, undefined);
  return {
    problems,
    unknownFields,
    problem,
    knows: (object, path, fields) => {
      for (const field of Object.keys(object)) {
        if (!fields.includes(field)) unknownFields.push(`${path}.${field}`);
      }
    },
    object: read<JsonObject | undefined>('an object', isObject, undefined),
    list,
    text,
    texts: (value, path) => (list(value, path) ?? []).map((each, index) => text(each, `${path}[${index}]`)),
  };
}

/** YAML makes numbers of ports, which have to be text here. */
function hintFor(value: Json): string {
  return typeof value === 'number' ? `: write "${value}"` : '';
}

function describe(value: Json): string {
  if (Array.isArray(value)) return 'a list';
  return { string: 'text', number: 'a number', boolean: 'a boolean', object: 'an object' }[
    typeof value as 'string'
  ];
}
