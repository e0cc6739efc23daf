import { unpricedNote } from '../../parts/amount';
import { CHART_COLORS, type ChartSeries } from '../../parts/chart-series';
import { nanosInDollars, nanosInShort, nanosOf } from '../../parts/dollars';
import type { DailyUsage } from './usage-query';

interface UsageMetric {
  readonly value: string;
  readonly label: string;
  readonly series: readonly ChartSeries[];
  /** Computes the values of a day, by the name of their series. */
  readonly figures: { readonly [name: string]: (day: DailyUsage) => number };
  readonly format?: (value: number) => string;
  readonly axisFormat?: (value: number) => string;
  readonly noteOf?: (days: readonly DailyUsage[]) => string | undefined;
}

const errors = ({ errors: failed }: DailyUsage): number => failed;
const ERRORS: ChartSeries = { name: 'errors', label: 'Errors', color: CHART_COLORS.error };

/** The first metric is the default. */
export const USAGE_METRICS: readonly [UsageMetric, ...UsageMetric[]] = [
  {
    value: 'requests',
    label: 'Requests',
    series: [{ name: 'answered', label: 'Without error', color: CHART_COLORS.main }, ERRORS],
    figures: { answered: (day) => day.requests - day.errors, errors },
  },
  {
    value: 'tokens',
    label: 'Tokens',
    series: [
      { name: 'input', label: 'Input', color: CHART_COLORS.main },
      { name: 'output', label: 'Output', color: CHART_COLORS.second },
    ],
    figures: { input: (day) => day.input_tokens, output: (day) => day.output_tokens },
  },
  { value: 'errors', label: 'Errors', series: [ERRORS], figures: { errors } },
  {
    value: 'cost',
    label: 'Cost',
    series: [{ name: 'cost', label: 'Cost', color: CHART_COLORS.main }],
    figures: { cost: ({ cost }) => (cost === null ? 0 : Number(nanosOf(cost))) },
    format: nanosInDollars,
    axisFormat: nanosInShort,
    noteOf: (days) =>
      unpricedNote(days.map(({ unpriced_requests }) => unpriced_requests)) ??
      (days.some(({ cost }) => cost === null) ? 'no costs were recorded' : undefined),
  },
];

export const usageMetric = (value: string | null): UsageMetric =>
  USAGE_METRICS.find((metric) => metric.value === value) ?? USAGE_METRICS[0];
