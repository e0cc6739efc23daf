import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { Chart } from '../../parts/chart';
import { pointsByDay, stepOf } from '../../parts/chart-series';
import type { DayRange } from '../../parts/period';
import { useSearchState } from '../../parts/use-search-state';
import { USAGE_METRICS, usageMetric } from './usage-metrics.data';
import type { DailyUsage } from './usage-query';

interface Props {
  readonly daily: readonly DailyUsage[];
  readonly range: DayRange;
  /** Follows the step in the title. */
  readonly suffix?: string;
  readonly controls?: ReactNode;
}

export function UsageChart({ daily, range, suffix = '', controls }: Props) {
  const { get, set } = useSearchState();
  const { value: selected, label, series, figures, noteOf, ...formats } = usageMetric(get('metric'));
  return (
    <Chart
      title={`${label} by ${stepOf(range)}${suffix}`}
      points={pointsByDay(daily, range, figures, noteOf)}
      series={series}
      {...formats}
      controls={
        <>
          <SegmentedControl
            aria-label="Metric"
            size="xs"
            data={USAGE_METRICS.map(({ value, label: name }) => ({ value, label: name }))}
            value={selected}
            onChange={(value) => set({ metric: value === USAGE_METRICS[0].value ? null : value })}
          />
          {controls}
        </>
      }
    />
  );
}
