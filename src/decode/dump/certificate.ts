// What an entry of a dump's `certificates` says, in the spellings of every ztunnel since 1.18.

import type { Json, JsonObject } from '../../base/json.ts';
import type { CertificateEntry, DumpCertificate } from '../../model/dump.ts';
import { fieldOf, listOf, objectOf, requiredTextOf, textOf, within } from './fields.ts';
import { decodeJudgedFacts } from './judgedfacts.ts';

const PEM_BEGIN = '-----BEGIN';

/** PEM text of a `pem` field: 1.18–1.20 send the text itself, 1.21+ base64 of it, ≤ 1.21 also `<pem construction error: …>`. */
function decodePem(sent: string): string {
  if (sent.startsWith(PEM_BEGIN)) return sent;
  const text = Buffer.from(sent, 'base64').toString('latin1');
  return text.startsWith(PEM_BEGIN) ? text : '';
}

/**
 * Makes the decoder of certificate entries for one dump. Most PEM texts of a dump are repeated (each identity has
 * its whole chain and all roots), so each distinct one is decoded once and shared. Facts are only believed where the
 * dump is known to be redacted: they are what somebody says of certificates that nobody can look at.
 */
export function createCertificateDecoder(
  keepRaw: boolean,
  judged: boolean,
): (value: Json) => CertificateEntry {
  const pems = new Map<string, string>();

  const pemOf = (sent: string): string => {
    const known = pems.get(sent);
    if (known !== undefined) return known;
    const pem = decodePem(sent);
    pems.set(sent, pem);
    return pem;
  };

  const decodeOne = (value: Json): DumpCertificate => {
    const object = objectOf(value);
    return {
      pem: pemOf(textOf(object, 'pem')),
      // snake_case until 1.21
      serialNumber: textOf(object, 'serialNumber', 'serial_number'),
      validFrom: textOf(object, 'validFrom', 'valid_from'),
      expirationTime: textOf(object, 'expirationTime', 'expiration_time'),
      ...(judged && { facts: decodeJudgedFacts(object) }),
    };
  };

  const decodeList = (object: JsonObject, name: string, oldName: string) =>
    listOf(object, name, oldName)?.map((value, index) => within(`${name}[${index}]`, () => decodeOne(value)));

  return (value) => {
    const object = objectOf(value);
    // ≤ 1.21: `ca_cert` is the leaf, whatever its name says, and `cert_chain` is everything but the leaf.
    const leaf = fieldOf(object, 'ca_cert') === undefined ? [] : decodeList(object, 'ca_cert', 'ca_cert');
    return {
      identity: requiredTextOf(object, 'identity'),
      state: textOf(object, 'state'),
      chain: [...(leaf ?? []), ...(decodeList(object, 'certChain', 'cert_chain') ?? [])],
      roots: decodeList(object, 'rootCerts', 'root_certs'),
      raw: keepRaw ? object : undefined,
    };
  };
}
