import { SegmentedControl, Skeleton } from '@mantine/core';
import { unpricedNote } from '../../parts/amount';
import { Chart } from '../../parts/chart';
import { pointsByDay, stepOf } from '../../parts/chart-series';
import { nanosInDollars, nanosInShort } from '../../parts/dollars';
import { ErrorNotice } from '../../parts/error-notice';
import { useSearchState } from '../../parts/use-search-state';
import { useCosts, type CostScope } from './cost-calls';
import { dimensionOf, STACKED_DIMENSIONS } from './cost-dimensions.data';
import { stackOf, STACKED_MAX } from './cost-stack.rules';

/** Stacks the most expensive keys or models of each day, and the sum of all others. */
export function CostChart({ scope }: { readonly scope: CostScope }) {
  const { get, set } = useSearchState();
  const dimension = dimensionOf(STACKED_DIMENSIONS, get('stack'));
  const days = useCosts(scope, 'day');
  const parts = useCosts(scope, `day,${dimension.value}` as 'day,key' | 'day,team' | 'day,model', STACKED_MAX);
  if (days.data === undefined || parts.data === undefined) {
    const failed = [days, parts].find(({ isError }) => isError);
    if (failed === undefined) return <Skeleton height={340} />;
    return <ErrorNotice error={failed.error} retry={() => void failed.refetch()} />;
  }
  const { rows, series } = stackOf(days.data.groups, parts.data, dimension);
  const figures = Object.fromEntries(
    series.map(({ name }) => [name, (row: (typeof rows)[number]) => Number(row.nanos.get(name) ?? 0n)]),
  );
  return (
    <Chart
      title={`Cost by ${stepOf(scope)} and ${dimension.label.toLowerCase()}`}
      points={pointsByDay(rows, scope, figures, (found) => unpricedNote(found.map(({ unpriced }) => unpriced)))}
      series={series}
      format={nanosInDollars}
      axisFormat={nanosInShort}
      controls={
        <SegmentedControl
          aria-label="Columns by"
          size="xs"
          data={STACKED_DIMENSIONS.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
          value={dimension.value}
          onChange={(value) => set({ stack: value === STACKED_DIMENSIONS[0]!.value ? null : value })}
        />
      }
    />
  );
}
