import { Button, Group, Paper, Skeleton, Text, Title, type TitleOrder } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ChartPoint, ChartSeries } from './chart-series';
import { chartSummary } from './chart-series';
import { ChartTable } from './chart-table';

export interface ChartProps {
  /** What is shown, as a title: `Requests by day`. */
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** Bars stand on each other, areas too; lines do not. */
  readonly kind?: 'bar' | 'area' | 'line';
  /** Of a figure, in the table and the tooltip. */
  readonly format?: (value: number) => string;
  /** Pixels. */
  readonly height?: number;
  readonly order?: TitleOrder;
  /** Beside the title: what chooses what is shown. */
  readonly controls?: ReactNode;
}

const HEIGHT = 260;

/** The library behind it is a hundred kilobytes and more: it comes when a chart is shown, and once. */
const ChartPlot = lazy(() =>
  import('./chart-plot').then(
    (module) => ({ default: module.ChartPlot }),
    () => ({ default: PlotMissing }),
  ),
);

/** Figures over time, drawn or as a table; screen readers are told the range of each series. */
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
  return (
    <Text size="sm">The chart could not be loaded. “Show as table” shows its figures; a reload may bring it back.</Text>
  );
}
