/** Amounts are decimal strings in dollars, because floating-point numbers cannot hold them exactly. */

const CURRENCY = { style: 'currency', currency: 'USD' } as const;
const cents = new Intl.NumberFormat('en', CURRENCY);
const small = new Intl.NumberFormat('en', { ...CURRENCY, maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat('en', { ...CURRENCY, maximumFractionDigits: 9 });
const short = new Intl.NumberFormat('en', { ...CURRENCY, notation: 'compact', maximumSignificantDigits: 3 });

const NANO_DECIMALS = 9;
const NANOS = 10n ** BigInt(NANO_DECIMALS);
/** Smaller amounts are shown with three significant digits, so that they do not look like nothing. */
const SMALL = 0.1;

/** Formats `$1,234.57`, `$0.0000585`; null is a dash. Rounded for display only. */
export function dollars(amount: string | null): string {
  if (amount === null) return '–';
  const size = Math.abs(Number(amount));
  return (size > 0 && size < SMALL ? small : cents).format(amount as `${number}`);
}

/** Formats a price, such as `$0.0375`, without rounding. */
export const priceInDollars = (price: string): string => exact.format(price as `${number}`);

/** Returns the integer of nano-dollars. Digits after the ninth decimal are dropped. */
export function nanosOf(amount: string): bigint {
  const negative = amount.startsWith('-');
  const [whole = '0', decimals = ''] = amount.replace('-', '').split('.');
  const nanos = BigInt(whole) * NANOS + BigInt(decimals.slice(0, NANO_DECIMALS).padEnd(NANO_DECIMALS, '0'));
  return negative ? -nanos : nanos;
}

/** Formats a number of nano-dollars of a chart. */
export const nanosInDollars = (nanos: number): string => dollars((nanos / Number(NANOS)).toFixed(NANO_DECIMALS));

/** Formats `$1.2M` for an axis. */
export const nanosInShort = (nanos: number): string => short.format(nanos / Number(NANOS));
