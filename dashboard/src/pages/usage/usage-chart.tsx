import { SegmentedControl } from '@mantine/core';
import { Chart } from '../../parts/chart';
import { CHART_COLORS, pointsByDay, stepOf, type ChartSeries } from '../../parts/chart-series';
import { useSearchState } from '../../parts/use-search-state';
import type { DailyUsage, Usage } from './usage-query';

interface Metric {
  readonly value: string;
  readonly label: string;
  readonly series: readonly ChartSeries[];
}

const REQUESTS: Metric = {
  value: 'requests',
  label: 'Requests',
  series: [
    { name: 'answered', label: 'Without error', color: CHART_COLORS.main },
    { name: 'errors', label: 'Errors', color: CHART_COLORS.error },
  ],
};
const METRICS: readonly Metric[] = [
  REQUESTS,
  {
    value: 'tokens',
    label: 'Tokens',
    series: [
      { name: 'input', label: 'Input', color: CHART_COLORS.main },
      { name: 'output', label: 'Output', color: CHART_COLORS.second },
    ],
  },
  { value: 'errors', label: 'Errors', series: [{ name: 'errors', label: 'Errors', color: CHART_COLORS.error }] },
];

const FIGURES = {
  answered: (day: DailyUsage) => day.requests - day.errors,
  errors: (day: DailyUsage) => day.errors,
  input: (day: DailyUsage) => day.input_tokens,
  output: (day: DailyUsage) => day.output_tokens,
};

export function UsageChart({ usage }: { readonly usage: Usage }) {
  const { get, set } = useSearchState();
  const metric = METRICS.find(({ value }) => value === get('metric')) ?? REQUESTS;
  return (
    <Chart
      title={`${metric.label} by ${stepOf(usage)}`}
      points={pointsByDay(usage.daily, usage, FIGURES)}
      series={metric.series}
      controls={
        <SegmentedControl
          aria-label="Metric"
          size="xs"
          data={METRICS.map(({ value, label }) => ({ value, label }))}
          value={metric.value}
          onChange={(value) => set({ metric: value === REQUESTS.value ? null : value })}
        />
      }
    />
  );
}
