import { parseTimestamp } from '../../validation/timestamp.js';

/** An exact decimal number, multiplied by a power of ten and rounded half away from zero. */
interface Decimal {
  readonly value: bigint;
  /** Whether digits were lost. */
  readonly rounded: boolean;
  /** The number of decimals as written, without those of an exponent. */
  readonly decimals: number;
}

const DECIMAL = /^([+-]?)\$?(\d{1,15})?(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads `12`, `-0.000125`, `$1.50` or `4.5e-06` without floating-point arithmetic. Separators of thousands are not accepted,
 * because `1,234` is a different number in other languages.
 *
 * @param scale number of decimals to keep: 9 for nano-dollars, 0 for counts
 */
export function parseDecimal(text: string, scale: number): Decimal | null {
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const digits = BigInt(whole + fraction);
  const shift = scale + Number(exponent) - fraction.length;
  const [value, rounded] = shift >= 0 ? [digits * 10n ** BigInt(shift), false] : dividedByPower(digits, -shift);
  return { value: sign === '-' ? -value : value, rounded, decimals: fraction.length };
}

function dividedByPower(digits: bigint, power: number): [value: bigint, rounded: boolean] {
  const divisor = 10n ** BigInt(power);
  return [(digits + divisor / 2n) / divisor, digits % divisor !== 0n];
}

const EPOCH_SECONDS = /^(\d{9,10})(?:\.0+)?$/;
const EARLIEST_MS = Date.UTC(2015, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Reads a date, an ISO 8601 time (UTC without an offset) or seconds since 1970. @returns milliseconds since 1970, or null */
export function parseMoment(text: string): number | null {
  const trimmed = text.trim();
  const seconds = EPOCH_SECONDS.exec(trimmed)?.[1];
  const iso = trimmed.replace(/^(\d{4}-\d\d-\d\d) (\d)/, '$1T$2').replace(/ ?UTC$/, 'Z');
  const ms = seconds === undefined ? parseTimestamp(iso) : Number(seconds) * 1000;
  return ms !== null && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : null;
}

const SHOWN_MAX = 60;

/** Text of a file in a message, without control characters. */
export function shown(text: string): string {
  const clean = text.trim().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean;
}
