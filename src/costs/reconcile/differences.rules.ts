import { formatNanos } from '../pricing/price-text.rules.js';
import type { Compared } from './comparison.rules.js';
import type { Figures } from './day-model-sums.js';
import type { Measure } from './measures.data.js';

export interface Difference {
  readonly provider: bigint;
  readonly gateway: bigint;
  /** The gateway's figure minus the provider's. */
  readonly difference: bigint;
  /** The difference as a share of the provider's figure, such as `-2.50`. Null if that figure is 0. */
  readonly percent: string | null;
}

export const differenceOf = ({ provider, gateway }: Compared, measure: Measure): Difference =>
  differenceBetween(provider.get(measure) ?? 0n, gateway.get(measure) ?? 0n);

/** The fields of a difference in their order, with amounts in dollars. @param noPercent stands for a percentage of null */
export function differenceCells(compared: Compared, measure: Measure, noPercent: string): string[] {
  const { provider, gateway, difference, percent } = differenceOf(compared, measure);
  const text = measure === 'cost' ? formatNanos : String;
  return [text(provider), text(gateway), text(difference), percent ?? noPercent];
}

export function differenceBetween(provider: bigint, gateway: bigint): Difference {
  const difference = gateway - provider;
  return { provider, gateway, difference, percent: percentOf(difference, provider) };
}

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The figure that decides how far two sides differ: dollars, or tokens. */
export function mainFigure(figures: Figures): bigint {
  return figures.get('cost') ?? (figures.get('input_tokens') ?? 0n) + (figures.get('output_tokens') ?? 0n);
}

const HUNDREDTHS = 10_000n;

/** Two decimals, rounded half away from zero. */
export function percentOf(part: bigint, whole: bigint): string | null {
  if (whole === 0n) return null;
  const [top, bottom] = [absolute(part) * HUNDREDTHS, absolute(whole)];
  const hundredths = (2n * top + bottom) / (2n * bottom);
  const digits = String(hundredths).padStart(3, '0');
  const sign = hundredths > 0n && part < 0n !== whole < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
