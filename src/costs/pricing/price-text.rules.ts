const WHOLE_DIGITS_MAX = 12;
export const PRICE_DECIMALS_MAX = 6;
/** A price is an integer in nano-dollars, so a dollar has nine decimals. */
export const NANO_DECIMALS = 9;

const DOLLARS = new RegExp(`^(0|[1-9]\\d{0,${WHOLE_DIGITS_MAX - 1}})(?:\\.(\\d{1,${PRICE_DECIMALS_MAX}}))?$`);

/**
 * Reads dollars (`0.0375`) without floating-point arithmetic.
 *
 * @param text at most 12 digits and 6 decimals, without sign, exponent, spaces or leading zeros
 * @returns nano-dollars, or null if the text is invalid
 */
export function parseDollars(text: string): bigint | null {
  const parts = DOLLARS.exec(text);
  return parts === null ? null : BigInt(parts[1] + (parts[2] ?? '').padEnd(NANO_DECIMALS, '0'));
}

/** Returns nano-dollars. Null for invalid text, or above 2^53 - 1 nano-dollars ($9,007,199.254740). */
export function parsePrice(text: string): number | null {
  const nanos = parseDollars(text);
  return nanos !== null && nanos <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(nanos) : null;
}

/** Returns dollars in the shortest exact form: `0.0375` for 37,500,000 nano-dollars. */
export const formatNanos = (nanos: number | bigint): string => formatDecimal(nanos, NANO_DECIMALS);

/** Returns `value` divided by ten to the power of `decimals`, in the shortest form. */
export function formatDecimal(value: number | bigint, decimals: number): string {
  if (value < 0) return `-${formatDecimal(-value, decimals)}`;
  const digits = String(value).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
}
