// That a redacted dump is judged as the one it was made of: each chain of the table, and who can verify whom.

import { describe, expect, test } from '@jest/globals';
import { decodeJudgedFacts, judgedFactsJson } from '../../../src/decode/dump/judgedfacts.ts';
import { joinCertificates } from '../../../src/model/certificates/certificates.ts';
import { splitChain } from '../../../src/model/certificates/chain.ts';
import { chooseTrust } from '../../../src/model/certificates/choice.ts';
import { createVerification } from '../../../src/model/certificates/verification.ts';
import { createCertificateReader } from '../../../src/model/certificates/x509.ts';
import type { CertificateEntry, DumpCertificate } from '../../../src/model/dump.ts';
import { createCertificateRedaction } from '../../../src/model/redact/certificates.ts';
import { createNames } from '../../../src/model/redact/names.ts';
import { groupByTrust } from '../../../src/model/trust/classes.ts';
import { judgeMatrix } from '../../../src/model/trust/matrix.ts';
import { START } from '../certificates/maker.ts';
import { ROWS } from '../certificates/table.ts';
import { available, inventory } from '../values.ts';
import { readMoment } from './mesh.ts';

const redaction = createCertificateRedaction(
  createNames({ key: Buffer.alloc(32, 7), ranked: [], whole: [], hosted: [] }),
);

/** As it is written and read again. */
function redact(entry: CertificateEntry): CertificateEntry {
  const again = (certificate: DumpCertificate): DumpCertificate =>
    certificate.facts === undefined
      ? certificate
      : {
          ...certificate,
          facts: decodeJudgedFacts(JSON.parse(JSON.stringify({ facts: judgedFactsJson(certificate.facts) }))),
        };
  const { chain, roots, ...others } = redaction(entry);
  return { ...others, chain: chain.map(again), roots: roots?.map(again) };
}

/** What a reason says apart from names. */
const withoutNames = (text: string | undefined) =>
  text
    ?.replaceAll(/CN=.*?(?=\)| has a key| has an? | is | may not|, which|$)/g, 'NAME')
    .replaceAll(/1\.3\.6\.1\.4\.1(?:\.\d+)*|spiffe:\S+|(?<=may not sign for )\S+\.\S+/g, 'NAME');

describe('each chain', () => {
  test.each(ROWS)('$name', ({ chain, roots, provider }) => {
    const judge = (entry: CertificateEntry) => {
      const { presentedBy, verifierOf, verify } = createVerification();
      const split = splitChain(entry, createCertificateReader());
      const search = verify(presentedBy(split, () => [])!, verifierOf(split, provider ?? 'tls-aws-lc'));
      const trust = chooseTrust(split, search, START);
      return [withoutNames(trust.problem?.text), trust.issuers.length, trust.validity?.to];
    };
    const entry = available(
      chain.map(({ listed }) => listed),
      roots.map(({ listed }) => listed),
    );
    // Addresses are left out, with the constraints on them.
    if (chain.some(({ der }) => der.includes(Buffer.from([0x87, 4])))) return;
    expect(judge(redact(entry))).toEqual(judge(entry));
  });
});

describe('each moment', () => {
  test.each(['abrupt/0-before', 'abrupt/1-node-a-on-b', 'rotation/2-all-renewed'])('%s', (name) => {
    const { answers, at } = readMoment(name);
    const worksIn = (redacted: boolean) => {
      const read = answers.map((each) => ({
        ...each,
        dump: redacted
          ? {
              ...each.dump,
              certificates: each.dump.certificates.map(redact),
              sections: new Set(['certificates', 'config'] as const),
            }
          : each.dump,
      }));
      const joined = joinCertificates({
        answers: read,
        ztunnels: [],
        failures: [],
        inventory: inventory(),
        reference: new Date(at),
        source: 'files',
        warnWithin: { percent: 10 },
        evaluateMissing: false,
      });
      const classes = groupByTrust(joined.items, joined.verification, at);
      const { pairs } = judgeMatrix(classes, joined.verification, at);
      return [
        joined.items.map(({ status }) => status),
        classes.map(({ counts }) => counts.certificates),
        pairs.map((row) => row.map(({ works }) => works)),
      ];
    };
    expect(worksIn(true)).toEqual(worksIn(false));
  });
});
