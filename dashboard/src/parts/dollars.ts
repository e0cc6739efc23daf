/** Amounts are decimal strings in dollars, because floating-point numbers cannot hold them exactly. */

import { percent } from './numbers';

const CURRENCY = { style: 'currency', currency: 'USD' } as const;
const cents = new Intl.NumberFormat('en', CURRENCY);
const small = new Intl.NumberFormat('en', { ...CURRENCY, maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat('en', { ...CURRENCY, maximumFractionDigits: 9 });
const short = new Intl.NumberFormat('en', { ...CURRENCY, notation: 'compact', maximumSignificantDigits: 3 });

const NANO_DECIMALS = 9;
const NANOS = 10n ** BigInt(NANO_DECIMALS);
/** Smaller amounts are shown with three significant digits, so that they do not look like nothing. */
const SMALL = 0.1;

/** Formats `$1,234.57` or `$0.0000585`, rounded for display only. null is a dash. */
export function dollars(amount: string | null): string {
  if (amount === null) return '–';
  const size = Math.abs(Number(amount));
  return (size > 0 && size < SMALL ? small : cents).format(amount as `${number}`);
}

/** Formats a price, such as `$0.0375`, without rounding. */
export const priceInDollars = (price: string): string => exact.format(price as `${number}`);

/** Converts a decimal string to an integer of nano-dollars. Digits after the ninth decimal are dropped. */
export function nanosOf(amount: string): bigint {
  const negative = amount.startsWith('-');
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const nanos = BigInt(whole) * NANOS + BigInt(decimals.slice(0, NANO_DECIMALS).padEnd(NANO_DECIMALS, '0'));
  return negative ? -nanos : nanos;
}

function amountOf(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const decimals = String(size % NANOS)
    .padStart(NANO_DECIMALS, '0')
    .replace(/0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / NANOS}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Adds amounts exactly. Unknown amounts (null) are skipped, and the sum is null if all are unknown. */
export function sumOfAmounts(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : amountOf(known.reduce((sum, amount) => sum + nanosOf(amount), 0n));
}

/**
 * Formats `12.5% more than last month`. Returns null if there is nothing to compare with.
 * @param than names the earlier amount, such as `last month`
 */
export function changeInWords(amount: string, before: string | null, than: string): string | null {
  const earlier = before === null ? 0n : nanosOf(before);
  if (earlier === 0n) return null;
  const change = nanosOf(amount) - earlier;
  if (change === 0n) return `as much as ${than}`;
  const share = Number(((change < 0n ? -change : change) * 10_000n) / earlier) / 100;
  return `${percent(share)} ${change < 0n ? 'less' : 'more'} than ${than}`;
}

export const nanosInDollars = (nanos: number): string => dollars((nanos / Number(NANOS)).toFixed(NANO_DECIMALS));

/** Axis steps below a millionth of a dollar occur only in a chart without amounts. */
const STEP_MIN = 1000;

/** Formats `$1.2M` for an axis. Smaller steps have no label. */
export const nanosInShort = (nanos: number): string =>
  nanos > 0 && nanos < STEP_MIN ? '' : short.format(nanos / Number(NANOS));
