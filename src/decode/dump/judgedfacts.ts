// What a redacted dump says of a certificate that it does not hold.

import type { Json, JsonObject } from '../../base/json.ts';
import type { GeneralName, NameConstraints } from '../../model/certificates/extensions.ts';
import type { TlsFacts } from '../../model/certificates/tlsfacts.ts';
import type { JudgedFacts } from '../../model/dump.ts';
import {
  fieldOf,
  flagOf,
  listOf,
  objectOf,
  requiredTextOf,
  ShapeError,
  textOf,
  textsOf,
  within,
} from './fields.ts';

/** undefined for a certificate that could not be read when the dump was redacted. */
export function decodeJudgedFacts(certificate: JsonObject): JudgedFacts | undefined {
  const value = fieldOf(certificate, 'facts');
  return value === undefined ? undefined : within('facts', () => factsOf(objectOf(value)));
}

function factsOf(object: JsonObject): JudgedFacts {
  return {
    subject: textOf(object, 'subject'),
    issuer: textOf(object, 'issuer'),
    notBefore: requiredTextOf(object, 'notBefore'),
    notAfter: requiredTextOf(object, 'notAfter'),
    fingerprintSHA256: requiredTextOf(object, 'fingerprintSHA256'),
    uris: textsOf(object, 'uris'),
    tls: within('tls', () => tlsFactsOf(objectOf(fieldOf(object, 'tls')))),
    signers: textsOf(object, 'signers'),
  };
}

function tlsFactsOf(object: JsonObject): TlsFacts {
  return {
    issuerName: textOf(object, 'issuerName'),
    subjectName: textOf(object, 'subjectName'),
    key: textOf(object, 'key'),
    keyName: textOf(object, 'keyName'),
    signature: textOf(object, 'signature'),
    isAuthority: flagOf(object, 'isAuthority'),
    pathLength: numberOf(object, 'pathLength'),
    usages: fieldOf(object, 'usages') === undefined ? null : textsOf(object, 'usages'),
    names: namesOf(object, 'names'),
    constraints: constraintsOf(fieldOf(object, 'constraints')),
    defect: textOf(object, 'defect') || null,
    anchorDefect: textOf(object, 'anchorDefect') || null,
  };
}

function numberOf(object: JsonObject, name: string): number | null {
  const value = fieldOf(object, name);
  if (value === undefined) return null;
  if (typeof value === 'number') return value;
  throw new ShapeError(name, 'is no number');
}

function constraintsOf(value: Json | undefined): NameConstraints | null {
  if (value === undefined) return null;
  return within('constraints', () => {
    const object = objectOf(value);
    return { permitted: namesOf(object, 'permitted'), excluded: namesOf(object, 'excluded') };
  });
}

const KINDS: readonly GeneralName['kind'][] = ['dns', 'ip', 'uri', 'directory', 'other'];

function namesOf(object: JsonObject, name: string): readonly GeneralName[] {
  return (listOf(object, name) ?? []).map((value, index) =>
    within(`${name}[${index}]`, () => {
      const one = objectOf(value);
      const kind = KINDS.find((each) => each === one.kind);
      if (kind === undefined) throw new ShapeError('kind', `is none of ${KINDS.join(', ')}`);
      return { kind, value: textOf(one, 'value') };
    }),
  );
}

/** The same as JSON, for writing a redacted dump. */
export function judgedFactsJson({ tls, uris, signers, ...facts }: JudgedFacts): JsonObject {
  const { usages, names, constraints, ...others } = tls;
  return {
    ...facts,
    uris: [...uris],
    tls: {
      ...others,
      usages: usages && [...usages],
      names: names.map(nameJson),
      constraints: constraints && {
        permitted: constraints.permitted.map(nameJson),
        excluded: constraints.excluded.map(nameJson),
      },
    },
    signers: [...signers],
  };
}

function nameJson({ kind, value }: GeneralName): JsonObject {
  return { kind, value };
}
