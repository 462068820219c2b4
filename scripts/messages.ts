// How the bytes of the messages of long lists become JSON, as TypeScript source that reads them fast.
import protobuf from 'protobufjs';
import { fullName, messagesOf, presenceOf, WELL_KNOWN } from './schema.ts';

/** What src/decode reads with these, besides all of ztunnel.cut. Other messages are read by table (tables.ts). */
const ROOTS: ReadonlySet<string> = new Set([
  'k8s.io.api.coordination.v1.Lease',
  'k8s.io.api.coordination.v1beta1.Lease',
  'k8s.io.apimachinery.pkg.apis.meta.v1.ListMeta',
  'k8s.io.apimachinery.pkg.apis.meta.v1.Status',
  'k8s.io.apimachinery.pkg.runtime.Unknown',
]);

interface Scalar {
  readonly wireType: number;
  /** The expression that reads one from the reader `r`. */
  readonly read: string;
  readonly zero: string;
}

const VARINT = 0;
const BYTES = 2;
const SCALARS: Readonly<Record<string, Scalar>> = {
  string: { wireType: BYTES, read: 'readText(r)', zero: "''" },
  bytes: { wireType: BYTES, read: 'r.bytes()', zero: 'undefined' },
  bool: { wireType: VARINT, read: 'r.bool()', zero: 'false' },
  int32: { wireType: VARINT, read: 'r.int32()', zero: '0' },
  int64: { wireType: VARINT, read: 'readInt64(r)', zero: '0' },
};

interface FieldPlan {
  readonly name: string;
  readonly id: number;
  readonly repeat: 'one' | 'list' | 'map';
  readonly presence: ReturnType<typeof presenceOf>;
  /** Source of Field.type: a name in quotes, or the constant of a message. */
  readonly type: string;
  readonly scalar: Scalar | undefined;
  /** The expression that reads one value. */
  readonly read: string;
}

const identifier = (type: protobuf.Type): string => fullName(type).replaceAll('.', '_');
const isRoot = (type: protobuf.Type): boolean =>
  ROOTS.has(fullName(type)) || fullName(type).startsWith('ztunnel.cut.');

/** The messages and all that they hold, each after those that it holds; none may hold itself. */
function inOrder(types: readonly protobuf.Type[]): protobuf.Type[] {
  const done = new Set<protobuf.Type>();
  const visit = (type: protobuf.Type, above: readonly protobuf.Type[]): void => {
    if (above.includes(type)) throw new Error(`${fullName(type)} holds itself`);
    for (const { resolvedType } of type.fieldsArray) {
      if (resolvedType instanceof protobuf.Type) visit(resolvedType, [...above, type]);
    }
    done.add(type);
  };
  for (const type of types) visit(type, []);
  return [...done];
}

/** How one value of a field is read and described. */
function planValue(field: protobuf.Field): Pick<FieldPlan, 'type' | 'scalar' | 'read'> {
  const held = field.resolvedType;
  if (held instanceof protobuf.Type) {
    const form = WELL_KNOWN[fullName(held)];
    if (form !== undefined) return { type: `'${form}'`, scalar: undefined, read: `${form}(r, enter(r))` };
    const name = identifier(held);
    return { type: name, scalar: undefined, read: `read_${name}(r, enter(r), new New_${name}())` };
  }
  const scalar = SCALARS[field.type];
  if (scalar === undefined || (field.repeated && scalar.wireType !== BYTES)) {
    throw new Error(`${fullName(field)}: a field of ${field.rule ?? 'one'} ${field.type} can't be read yet`);
  }
  return { type: `'${field.type}'`, scalar, read: scalar.read };
}

function planField(field: protobuf.Field): FieldPlan {
  const presence = presenceOf(field);
  if (presence === 'inline') throw new Error(`${fullName(field)}: an inlined message can't be read yet`);
  return {
    ...planValue(field),
    name: field.name,
    id: field.id,
    repeat: field.map ? 'map' : field.repeated ? 'list' : 'one',
    presence,
  };
}

function writeOne({ name, read, scalar, presence, type }: FieldPlan): string {
  const to = `o.${name}`;
  if (presence === 'null') return `${to} = ${read} ?? null;`;
  if (scalar && presence === 'nonzero') return `{ const v = ${read}; if (v !== ${scalar.zero}) ${to} = v; }`;
  // A time that is zero is a message without fields.
  if (type.startsWith("'") && !scalar) return `{ const v = ${read}; if (v !== undefined) ${to} = v; }`;
  return `${to} = ${read};`;
}

/** A list of one is made as such: push would make room for 17. */
const WRITE = {
  one: writeOne,
  list: ({ name, read }) =>
    `{ const v = ${read}; if (o.${name} === undefined) o.${name} = [v]; else o.${name}.push(v); }`,
  map: ({ name, read }) =>
    `{ if (o.${name} === undefined) o.${name} = {}; readEntry(r, o.${name}, ${read === 'readText(r)' ? 'readText' : `(r) => ${read}`}); }`,
} satisfies Record<FieldPlan['repeat'], (plan: FieldPlan) => string>;

function writeCase(plan: FieldPlan): string {
  const wireType = plan.repeat === 'one' ? (plan.scalar?.wireType ?? BYTES) : BYTES;
  return `      case ${(plan.id << 3) | wireType}: ${WRITE[plan.repeat](plan)} break;`;
}

/** What is shown even if it is not on the wire. */
function writeDefaults(plans: readonly FieldPlan[]): string {
  const always = plans.filter(
    ({ presence, repeat, scalar }) => presence === 'always' && (repeat === 'list' || scalar !== undefined),
  );
  return always
    .map((plan) => `  o.${plan.name} = ${plan.repeat === 'list' ? '[]' : plan.scalar?.zero};\n`)
    .join('');
}

function writeMessage(type: protobuf.Type): string {
  const plans = type.fieldsArray.map((field) => planField(field));
  const name = identifier(type);
  const shapes = plans.map(
    (plan) =>
      `    { name: '${plan.name}', id: ${plan.id}, type: ${plan.type}, repeat: '${plan.repeat}', presence: '${plan.presence}' },\n`,
  );
  return `
function New_${name}(this: any) {}
New_${name}.prototype = Object.prototype;
function read_${name}(r: Reader, end: number, o: any): any {
${writeDefaults(plans)}  while (r.pos < end) {
    const tag = readTag(r);
    switch (tag) {
${plans.map(writeCase).join('\n')}
      default: skip(r, tag);
    }
  }
  leave(r, end);
  return o;
}
const ${name}: Message = {
  name: '${fullName(type)}',
  create: () => new New_${name}(),
  read: read_${name},
  fields: [
${shapes.join('')}  ],
};
`;
}

/** The source of the generated module. Throws on a type that cannot be read yet. */
export function writeMessages(root: protobuf.Root): string {
  const types = inOrder(messagesOf(root).filter(isRoot)).filter((type) => !(fullName(type) in WELL_KNOWN));
  const entries = types.map((type) => `  '${fullName(type)}': ${identifier(type)},\n`).sort();
  return `// @ts-nocheck Generated from proto/ by scripts/generate.ts; not committed.
// Each New_ is a constructor of plain objects: V8 learns from it how much room for fields such objects need.
import type { Reader } from 'protobufjs/minimal.js';
import type { Message } from '../kube/message.ts';
import { ${Object.values(WELL_KNOWN).join(', ')} } from '../kube/wellknown.ts';
import { enter, leave, readEntry, readInt64, readTag, readText, skip } from '../kube/wire.ts';
${types.map(writeMessage).join('')}
export const MESSAGES = {
${entries.join('')}} satisfies Record<string, Message>;
`;
}
