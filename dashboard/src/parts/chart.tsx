import { Button, Group, Paper, Skeleton, Text, Title, type TitleOrder } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ChartPoint, ChartSeries } from './chart-series';
import { chartSummary } from './chart-series';
import { ChartTable } from './chart-table';

export interface ChartProps {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** Bars and areas are stacked; lines are not. */
  readonly kind?: 'bar' | 'area' | 'line';
  readonly format?: (value: number) => string;
  /** The default formats compact numbers. */
  readonly axisFormat?: (value: number) => string;
  readonly height?: number;
  readonly order?: TitleOrder;
  readonly controls?: ReactNode;
}

const HEIGHT = 260;

/** The chart library has more than 100 KB, so it loads with the first chart. */
const ChartPlot = lazy(() =>
  import('./chart-plot').then(
    (module) => ({ default: module.ChartPlot }),
    () => ({ default: PlotMissing }),
  ),
);

export function Chart(props: ChartProps) {
  const { title, points, series, format, height = HEIGHT, order = 2, controls } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={order} size="h4">
          {title}
        </Title>
        <Group gap="xs">
          {controls}
          <Button size="compact-sm" variant="default" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Show as table
          </Button>
        </Group>
      </Group>
      {asTable ? (
        <ChartTable title={title} points={points} series={series} format={format} height={height} />
      ) : (
        <div role="img" aria-label={chartSummary(title, points, series, format)}>
          <Suspense fallback={<Skeleton height={height} />}>
            <ChartPlot {...props} height={height} />
          </Suspense>
        </div>
      )}
    </Paper>
  );
}

function PlotMissing() {
  return <Text size="sm">The chart failed to load. Select “Show as table” to see the data, or reload the page.</Text>;
}
