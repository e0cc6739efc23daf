import type { ModelChoice } from './limit-form.rules';
import type { LimitMeasure, LimitMode, LimitPeriod, LimitReserve, LimitScope } from './limit-types';

export const SCOPES: Readonly<Record<LimitScope, string>> = {
  account: 'Account',
  team: 'Team',
  key: 'Key',
  tag: 'Tag',
};

export const MEASURES: Readonly<Record<LimitMeasure, string>> = {
  cost: 'Cost',
  requests: 'Requests',
  tokens: 'Tokens',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  concurrent_requests: 'Concurrent requests',
};

export const PERIODS: Readonly<Record<LimitPeriod, string>> = {
  minute: 'per minute',
  hour: 'per hour',
  day: 'per day',
  week: 'per week',
  month: 'per month',
  rolling_5h: 'in any 5 hours',
  rolling_7d: 'in any 7 days',
  total: 'in total',
};

/** Only these periods depend on a time zone. */
export const ZONED_PERIODS: ReadonlySet<LimitPeriod> = new Set(['day', 'week', 'month']);

/** Only these periods end and can carry over a remainder. */
export const ENDING_PERIODS: ReadonlySet<LimitPeriod> = new Set(['minute', 'hour', 'day', 'week', 'month']);

const END_OF_PERIOD = 'At the end of this period';

/** A top-up of any other period never expires by default. */
export const TOP_UP_ENDS: Readonly<Partial<Record<LimitPeriod, string>>> = {
  minute: END_OF_PERIOD,
  hour: END_OF_PERIOD,
  day: END_OF_PERIOD,
  week: END_OF_PERIOD,
  month: END_OF_PERIOD,
  rolling_5h: 'In 5 hours',
  rolling_7d: 'In 7 days',
};

/** Usage of these measures is known only after the response, so the gateway reserves an estimate. */
export const RESERVED_MEASURES: ReadonlySet<LimitMeasure> = new Set([
  'cost' as const,
  'tokens' as const,
  'input_tokens' as const,
  'output_tokens' as const,
]);

/** Only these measures count cached tokens, which can have a weight. */
export const WEIGHTED_MEASURES: ReadonlySet<LimitMeasure> = new Set(['tokens', 'input_tokens']);

export const FORECAST_METHODS: Readonly<Record<string, string>> = {
  linear_in_period: 'Assumes that usage continues at the rate of this period so far.',
  average_of_period: 'Assumes that usage continues at the rate since its start in the rolling period.',
  average_of_7_days: 'Assumes that usage continues at the rate of the last 7 days.',
};

interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly explanation: string;
}

export const MODEL_CHOICES: readonly Choice<ModelChoice>[] = [
  { value: 'all', label: 'All models', explanation: 'The limit counts every request of its target.' },
  { value: 'some', label: 'Only some models', explanation: 'The limit counts requests that can use one of them.' },
];

export const MODES: readonly Choice<LimitMode>[] = [
  {
    value: 'enforce',
    label: 'Enforce',
    explanation: 'The gateway rejects requests beyond the limit with status 429.',
  },
  {
    value: 'observe',
    label: 'Observe',
    explanation: 'The gateway rejects nothing. It only counts and sends alerts.',
  },
];

export const RESERVES: readonly Choice<LimitReserve>[] = [
  {
    value: 'typical',
    label: 'Typical usage',
    explanation:
      'Reserves the likely usage of a request. Requests that run at the same time can exceed the limit if they use more.',
  },
  {
    value: 'full',
    label: 'Largest possible usage',
    explanation:
      'The limit is never exceeded. A request with a high maximum output can be rejected even if it would use less.',
  },
  {
    value: 'none',
    label: 'Nothing',
    explanation:
      'Rejects a request only if the limit is already reached. All requests that are running at that moment can exceed the limit.',
  },
];
