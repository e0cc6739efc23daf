const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats `12,345`. null is a dash. */
export const count = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : whole.format(value);
/** Formats `12.3K`. */
export const compact = (value: number): string => short.format(value);
export const plural = (value: number, what: string): string => (value === 1 ? what : `${what}s`);

/** Formats `1 key` or `2 keys`. */
export const counted = (value: number, what: string): string => `${value} ${plural(value, what)}`;
/** Formats `340 ms` or `2.4 s`. */
export const latency = (ms: number | null | undefined): string =>
  ms === null || ms === undefined
    ? '–'
    : ms < 1000
      ? `${whole.format(Math.round(ms))} ms`
      : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
export const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : `${value.toFixed(value < 10 ? 2 : 1)}%`;
/** Formats a share from 0 to 1, such as `1%` or `0.1%`. */
export const shareText = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;
export const limit = (value: number | null | undefined): string =>
  value === null || value === undefined ? 'unlimited' : whole.format(value);
