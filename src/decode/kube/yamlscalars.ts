// Which words of YAML are numbers and truth values to Kubernetes: those of YAML 1.1, as kubectl's reader has them.

import {
  boolCoreTag,
  CORE_SCHEMA,
  defineScalarTag,
  floatCoreTag,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
} from 'js-yaml';

/** By the first letter of a prefix; `0644` has none and is octal. Facts of kubernetes-sigs/yaml's resolve.go. */
const INTEGER = /^([-+]?)(?:0([xX])([\da-fA-F]+)|0([bB])([01]+)|0([oO]?)([0-7]+)|(0|[1-9]\d*))$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** More make no number that Kubernetes has, but long work. */
const MAX_DIGITS = 1000;
const MAX_UINT64 = 2n ** 64n - 1n;

/** In decimal; undefined for what is no whole number. */
function integerOf(source: string): bigint | undefined {
  if (source.length > MAX_DIGITS) return undefined;
  const match = INTEGER.exec(source.replaceAll('_', ''));
  if (match === null) return undefined;
  const [, sign, hex, hexDigits, binary, binaryDigits, , octalDigits, decimal] = match;
  const prefix = hex ? '0x' : binary ? '0b' : decimal === undefined ? '0o' : '';
  const size = BigInt(`${prefix}${hexDigits ?? binaryDigits ?? octalDigits ?? decimal}`);
  // What does not fit is decimal there after all, and no whole number.
  if (prefix === '0o' && size > MAX_UINT64) return undefined;
  return sign === '-' ? -size : size;
}

function floatOf(source: string): number | undefined {
  if (NOT_FINITE.test(source)) return Number(source.replace('.', '').replace(/inf/i, 'Infinity'));
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  const value = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

const WORDS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    y: true,
    yes: true,
    true: true,
    on: true,
    n: false,
    no: false,
    false: false,
    off: false,
  }).flatMap(([word, value]) => {
    const capital = word[0]!.toUpperCase() + word.slice(1);
    return [word, capital, word.toUpperCase()].map((spelling) => [spelling, value] as const);
  }),
);

/** `large`: what a whole number beyond 2^53, which a number would round, becomes of its decimal digits. */
export function kubernetesSchema(large: (digits: string) => unknown) {
  const numberOf = (whole: bigint) =>
    Number.isSafeInteger(Number(whole)) ? Number(whole) : large(String(whole));
  return CORE_SCHEMA.withTags(
    mergeTag,
    defineScalarTag<unknown>(intCoreTag.tagName, {
      ...intCoreTag,
      resolve: (source) => {
        const whole = integerOf(source);
        return whole === undefined ? NOT_RESOLVED : numberOf(whole);
      },
    }),
    defineScalarTag<unknown>(floatCoreTag.tagName, {
      ...floatCoreTag,
      resolve: (source) => floatOf(source) ?? NOT_RESOLVED,
    }),
    defineScalarTag<unknown>(boolCoreTag.tagName, {
      ...boolCoreTag,
      implicitFirstChars: [...'yYtToOnNfF'],
      resolve: (source) => WORDS.get(source) ?? NOT_RESOLVED,
    }),
  );
}
