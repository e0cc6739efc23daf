/** The keys whose requests a limit counts. `tag`: all keys with the tag, and all keys whose team has it. */
export const LIMIT_SCOPES = ['account', 'team', 'key', 'tag'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export const LIMIT_MEASURES = [
  'requests',
  'tokens',
  'input_tokens',
  'output_tokens',
  'cost',
  'concurrent_requests',
] as const;
export type LimitMeasure = (typeof LIMIT_MEASURES)[number];

/** From the shortest to the longest. `total` never ends. A rolling period always ends now. */
export const LIMIT_PERIODS = ['minute', 'hour', 'rolling_5h', 'day', 'rolling_7d', 'week', 'month', 'total'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

interface RollingParts {
  readonly partMs: number;
  readonly parts: number;
}

type RollingPeriods = Readonly<
  Record<'rolling_5h' | 'rolling_7d', RollingParts> & Partial<Record<LimitPeriod, RollingParts>>
>;

/**
 * Rolling periods consist of parts, and usage leaves the period with its part. The newest part has only begun, so the others cover the
 * full 5 hours or 7 days. `ledger/functions/limit_advanced.sql` has the same numbers.
 */
export const ROLLING_PARTS: RollingPeriods = {
  rolling_5h: { partMs: 300_000, parts: 61 },
  rolling_7d: { partMs: 7_200_000, parts: 85 },
};

/** Only these depend on a time zone. */
export const ZONED_PERIODS: readonly LimitPeriod[] = ['day', 'week', 'month'];

/** `observe`: the limit counts and sends alerts, but rejects nothing. */
export const LIMIT_MODES = ['enforce', 'observe'] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** The reservation of a request before its usage is known: its maximum, its likely usage, or a single unit. */
export const LIMIT_RESERVES = ['full', 'typical', 'none'] as const;
export type LimitReserve = (typeof LIMIT_RESERVES)[number];

/** The largest amount, carry-over or top-up in requests or tokens. Larger integers are not exact in JSON. */
export const COUNT_MAX = Number.MAX_SAFE_INTEGER;
/** The same in dollars, and in nano-dollars. The sum of an amount with its carry-over and top-ups can be higher. */
export const DOLLARS_MAX = '1000000000';
export const NANOS_MAX = 10n ** 18n;
