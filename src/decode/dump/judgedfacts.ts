// What a redacted dump says of a certificate that it does not hold.

import type { Json, JsonObject } from '../../base/json.ts';
import type { JudgedFacts, LinkFlaw } from '../../model/dump.ts';
import { fieldOf, flagOf, objectOf, requiredTextOf, ShapeError, textOf, textsOf, within } from './fields.ts';

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
    isAuthority: flagOf(object, 'isAuthority'),
    isSelfIssued: flagOf(object, 'isSelfIssued'),
    links: within('links', () => linksOf(fieldOf(object, 'links') ?? {})),
  };
}

const VERDICTS: readonly (LinkFlaw | 'issued')[] = ['issued', 'otherIssuer', 'badSignature'];

function linksOf(value: Json): JudgedFacts['links'] {
  return new Map(
    Object.entries(objectOf(value)).map(([print, verdict]) => {
      const known = VERDICTS.find((each) => each === verdict);
      if (known === undefined) throw new ShapeError(print, `is none of ${VERDICTS.join(', ')}`);
      return [print, known];
    }),
  );
}

/** The same as JSON, for writing a redacted dump. */
export function judgedFactsJson({ links, ...facts }: JudgedFacts): JsonObject {
  return { ...facts, links: Object.fromEntries(links) };
}
