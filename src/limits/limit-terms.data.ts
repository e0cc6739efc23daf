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

/** The length of the rolling periods. Other periods have none. */
export const ROLLING_MS: Readonly<Partial<Record<LimitPeriod, number>>> = {
  rolling_5h: 18_000_000,
  rolling_7d: 604_800_000,
};

/** Only these depend on a time zone. */
export const ZONED_PERIODS: readonly LimitPeriod[] = ['day', 'week', 'month'];

/** `observe`: the limit counts and sends alerts, but refuses nothing. */
export const LIMIT_MODES = ['enforce', 'observe'] as const;
export type LimitMode = (typeof LIMIT_MODES)[number];

/** The reservation of a request before its usage is known: its maximum, its likely usage, or a single unit. */
export const LIMIT_RESERVES = ['full', 'typical', 'none'] as const;
export type LimitReserve = (typeof LIMIT_RESERVES)[number];

/** Amounts are integers in requests, tokens or nano-dollars. All of them are exact as JavaScript numbers. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;
