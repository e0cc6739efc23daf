import type { UsageKind } from '../usage-kinds.data.js';

/** Integers in nano-dollars per the number of units in `USAGE_KINDS`, which is a million for tokens. */
export type Prices = Readonly<Partial<Record<UsageKind, number>>>;

/** All prices of requests whose input, including caches, has more than `above` tokens. */
export interface PriceTier {
  readonly above: number;
  readonly prices: Prices;
}

/** The price of one image of a size and quality. Null matches every size or quality. */
export interface ImagePrice {
  readonly size: string | null;
  readonly quality: string | null;
  /** In nano-dollars per million images. */
  readonly price: number;
}

/** Hours of a day in UTC, in seconds since midnight. The end is exclusive, and can be before the start. */
export interface DailyHours {
  readonly start: number;
  readonly end: number;
}

/** A factor on the prices of tokens, for a service tier or a region. */
export interface PriceFactor {
  readonly serviceTier?: string;
  /** `*` is every region other than `global`. */
  readonly region?: string;
  readonly numerator: number;
  readonly denominator: number;
}

/** The prices of one model at one provider during one period. */
export interface PriceRow {
  readonly source: 'list' | 'operator';
  readonly provider: string;
  readonly model: string;
  /** Milliseconds since 1970, or null for no bound. The end is exclusive. */
  readonly validFromMs: number | null;
  readonly validToMs: number | null;
  readonly hours: DailyHours | null;
  readonly prices: Prices;
  /** In ascending order of `above`. The highest tier that the input reaches prices the whole request. */
  readonly tiers: readonly PriceTier[];
  /** In order of preference; `prices.images` applies if none matches. */
  readonly images: readonly ImagePrice[];
  /** Units that a request is billed for at least, if it uses this kind. */
  readonly minimums: Prices;
  /** Factors that replace those of price-factors.data.ts. Null if the published factors apply. */
  readonly factors: readonly PriceFactor[] | null;
}

const DAY_SECONDS = 86_400;

/** Whether a price applies at a time: within its period, and at its hours of the day. */
export function appliesAt({ validFromMs, validToMs, hours }: PriceRow, atMs: number): boolean {
  if (validFromMs !== null && atMs < validFromMs) return false;
  if (validToMs !== null && atMs >= validToMs) return false;
  if (hours === null) return true;
  const second = Math.floor(atMs / 1000) % DAY_SECONDS;
  return hours.start <= hours.end
    ? second >= hours.start && second < hours.end
    : second >= hours.start || second < hours.end;
}

/** Whether the two ranges overlap at any time of day. */
export const shareTime = (a: DailyHours, b: DailyHours): boolean =>
  rangesOf(a).some(([start, end]) => rangesOf(b).some(([from, to]) => start < to && from < end));

const rangesOf = ({ start, end }: DailyHours): (readonly [start: number, end: number])[] =>
  start <= end
    ? [[start, end]]
    : [
        [start, DAY_SECONDS],
        [0, end],
      ];

const HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** Reads hours such as `16:30-00:30`. Returns null for another form, and for hours that contain no time. */
export function parseHours(text: string): DailyHours | null {
  const parts = HOURS.exec(text);
  if (parts === null) return null;
  const [, startHour, startMinute, endHour, endMinute] = parts.map(Number) as [unknown, number, number, number, number];
  const [start, end] = [startHour * 3600 + startMinute * 60, endHour * 3600 + endMinute * 60];
  return start === end ? null : { start, end };
}

/** Omits seconds, which the published list does not use. */
export const formatHours = ({ start, end }: DailyHours): string => `${timeOf(start)}-${timeOf(end)}`;

const timeOf = (second: number): string =>
  [Math.floor(second / 3600) % 24, Math.floor(second / 60) % 60].map((each) => String(each).padStart(2, '0')).join(':');
