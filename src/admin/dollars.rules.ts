import { parseDollars, PRICE_DECIMALS_MAX } from '../costs/pricing/price-text.rules.js';
import { invalidType, invalidValue } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';

/** Bounds in nano-dollars, inclusive. */
interface DollarRange {
  readonly min: bigint;
  readonly max: bigint;
  readonly maxText: string;
}

/** Returns why a value is not an amount of dollars, such as `"2.50"`. */
export function dollarsProblem(value: unknown, param: string, { min, max, maxText }: DollarRange): GatewayError | null {
  if (typeof value !== 'string') return invalidType(param, 'a string with a decimal number, such as "2.50"');
  const nanos = parseDollars(value);
  if (nanos !== null && nanos <= max) return nanos < min ? invalidValue(param, 'more than 0') : null;
  if (/^-\d/.test(value)) return invalidValue(param, 'at least 0');
  const decimals = /^\d+\.(\d+)$/.exec(value)?.[1] ?? '';
  if (decimals.length > PRICE_DECIMALS_MAX)
    return invalidValue(param, `a decimal number with at most ${PRICE_DECIMALS_MAX} decimals`);
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return invalidValue(param, `at most ${maxText}`);
  return invalidValue(param, 'a decimal number of dollars without sign, exponent or spaces, such as "2.50"');
}
