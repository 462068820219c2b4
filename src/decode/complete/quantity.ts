// How Kubernetes writes an amount, however it was written: `1000m` is `1`, `1024Mi` is `1Gi`.

interface Amount {
  readonly mantissa: bigint;
  /** The amount is mantissa × 10^scale. */
  readonly scale: number;
}

type Format = 'decimal' | 'exponent' | 'binary';

const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_SUFFIX = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIX = new Map(Object.entries(BINARY).map(([suffix, exponent]) => [exponent, suffix]));

/** Sign, whole digits without leading zeros, decimals if there is a point, suffix. */
const WRITTEN = /^([+-]?)(0*)(\d*)(\.\d*)?([eEinumkKMGTP]*[+-]?\d*)$/;
/** Smaller amounts are rounded up to one billionth. */
const NANO = -9;
/** An int64 has room for as many digits for sure. */
const FAST_DIGITS = 18;
const MAX_INT64 = 2n ** 63n - 1n;
/** Longer ones nobody writes, and their powers of ten take long. */
const MAX_LENGTH = 100;

interface Written {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly decimals: string;
  readonly exponent: number;
  readonly format: Format;
}

function suffixOf(suffix: string): Pick<Written, 'exponent' | 'format'> | undefined {
  if (Object.hasOwn(DECIMAL, suffix)) return { exponent: DECIMAL[suffix]!, format: 'decimal' };
  if (Object.hasOwn(BINARY, suffix)) return { exponent: BINARY[suffix]!, format: 'binary' };
  return /^[eE][+-]?\d{1,9}$/.test(suffix)
    ? { exponent: Number(suffix.slice(1)), format: 'exponent' }
    : undefined;
}

function parse(text: string): Written | undefined {
  const match = text === '' || text.length > MAX_LENGTH ? null : WRITTEN.exec(text);
  if (match === null) return undefined;
  const [, sign, , digits = '', point = '', suffix = ''] = match;
  const meaning = suffixOf(suffix);
  if (meaning === undefined) return undefined;
  return { text, negative: sign === '-', whole: digits || '0', decimals: point.slice(1), ...meaning };
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** What fits an int64 by its digits alone; `asWritten` if Kubernetes then keeps the text. */
function fastAmount(written: Written): (Amount & { readonly asWritten: boolean }) | undefined {
  const { whole, decimals, exponent, format, negative } = written;
  const digits = whole + decimals;
  const binary = format === 'binary';
  const room = binary ? 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 : FAST_DIGITS - digits.length;
  const scale = (binary ? 0 : exponent) - decimals.length;
  if (room < 0 || (binary && decimals !== '') || scale < NANO) return undefined;
  const value = BigInt(digits);
  const factor = binary ? 2n ** BigInt(exponent) : 1n;
  if (magnitude(value * factor) > MAX_INT64) return undefined;
  const mantissa = negative ? -value * factor : value * factor;
  const asWritten = binary
    ? exponent % 10 === 0 && (value & 7n) !== 0n
    : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { mantissa, scale, asWritten };
}

/** Away from zero, to at least one billionth. */
function roundUp({ mantissa, scale }: Amount): Amount {
  const surplus = NANO - scale;
  if (surplus <= 0 || mantissa === 0n) return { mantissa, scale };
  if (surplus > 2 * MAX_LENGTH) return { mantissa: mantissa < 0n ? -1n : 1n, scale: NANO };
  const unit = 10n ** BigInt(surplus);
  const rounded = (magnitude(mantissa) + unit - 1n) / unit;
  return { mantissa: mantissa < 0n ? -rounded : rounded, scale: NANO };
}

/** True if |amount| ≥ the whole number. */
function reaches({ mantissa, scale }: Amount, whole: bigint): boolean {
  const absolute = magnitude(mantissa);
  if (scale >= 0) return absolute !== 0n && (scale > MAX_LENGTH || absolute * 10n ** BigInt(scale) >= whole);
  return absolute >= whole * 10n ** BigInt(-scale);
}

function slowAmount(written: Written): { readonly amount: Amount; readonly format: Format } {
  const { whole, decimals, exponent, format, negative } = written;
  const binary = format === 'binary';
  const unsigned = BigInt(whole + decimals) * (binary ? 2n ** BigInt(exponent) : 1n);
  const rounded = roundUp({ mantissa: unsigned, scale: (binary ? 0 : exponent) - decimals.length });
  const amount = binary && reaches(rounded, MAX_INT64) ? { mantissa: MAX_INT64, scale: 0 } : rounded;
  return {
    amount: negative ? { ...amount, mantissa: -amount.mantissa } : amount,
    format: binary && amount.mantissa > 0n && !reaches(amount, 1n) ? 'decimal' : format,
  };
}

/** Takes factors out of a number; how many there were. */
function withoutFactors(value: bigint, factor: bigint): readonly [left: bigint, times: number] {
  let left = value;
  let times = 0;
  for (; left !== 0n && left % factor === 0n; left /= factor) times += 1;
  return [left, times];
}

function wholeOf({ mantissa, scale }: Amount): bigint | undefined {
  if (scale >= 0) return mantissa * 10n ** BigInt(scale);
  const unit = 10n ** BigInt(-scale);
  return mantissa % unit === 0n ? mantissa / unit : undefined;
}

function writeDecimal({ mantissa, scale }: Amount, format: Format): string {
  const [digits, times] = withoutFactors(mantissa, 10n);
  const exponent = scale + times;
  const surplus = ((exponent % 3) + 3) % 3;
  const shown = `${digits * 10n ** BigInt(surplus)}`;
  const three = exponent - surplus;
  if (format === 'exponent') return three === 0 ? shown : `${shown}e${three}`;
  return `${shown}${DECIMAL_SUFFIX.get(three) ?? ''}`;
}

function writeAmount(amount: Amount, format: Format): string {
  if (amount.mantissa === 0n) return '0';
  if (format !== 'binary') return writeDecimal(amount, format);
  const whole = reaches(amount, 1024n) ? wholeOf(amount) : undefined;
  if (whole === undefined) return writeDecimal(amount, 'decimal');
  const [left, times] = withoutFactors(whole, 1024n);
  return `${left}${BINARY_SUFFIX.get(times * 10) ?? ''}`;
}

/** The amount as the API server would write it; undefined if it is none. */
export function canonicalQuantity(text: string): string | undefined {
  const written = parse(text);
  if (written === undefined) return undefined;
  const fast = fastAmount(written);
  if (fast !== undefined) return fast.asWritten ? text : writeAmount(fast, written.format);
  if (!/\d/.test(text.replace(/[eE][+-]?\d+$/, ''))) return undefined;
  const { amount, format } = slowAmount(written);
  return writeAmount(amount, format);
}
