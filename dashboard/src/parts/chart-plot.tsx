import '@mantine/charts/styles.css';
import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { ChartProps } from './chart';
import type { ReactNode } from 'react';
import { compact, count } from './numbers';

/** Has its own file, so that the chart library loads on demand. It takes no focus, because `Chart` has text alternatives. */
export function ChartPlot({ points, series, kind = 'bar', format = count, axisFormat = compact, height }: ChartProps) {
  const still = useReducedMotion();
  const labels = new Map(points.map(({ label, title }) => [title, label]));
  const tooltips = new Map<ReactNode, string>(
    points.map(({ title, note }) => [title, note === undefined ? title : `${title}, ${note}`]),
  );
  const data = points.map(({ title, values }) => ({ ...values, title }));
  const shared = {
    h: height,
    data,
    // The full title is unique; the axis shows the short label.
    dataKey: 'title',
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    withLegend: series.length > 1,
    legendProps: { verticalAlign: 'bottom' as const },
    textColor: 'var(--mantine-color-text)',
    accessibilityLayer: false,
    valueFormatter: format,
    tooltipProps: { labelFormatter: (title: ReactNode) => tooltips.get(title) ?? title },
    xAxisProps: {
      tickFormatter: (title: string) => labels.get(title) ?? title,
      minTickGap: 24,
      interval: 'equidistantPreserveStart' as const,
    },
    // Small amounts of money have long labels.
    yAxisProps: {
      tickFormatter: axisFormat,
      width: axisFormat === compact ? 48 : ('auto' as const),
      allowDecimals: false,
    },
  };
  const motion = { isAnimationActive: !still, animationDuration: 200 };
  if (kind === 'line') return <LineChart {...shared} withDots={false} lineProps={motion} />;
  if (kind === 'area') return <AreaChart {...shared} type="stacked" withDots={false} areaProps={motion} />;
  return <BarChart {...shared} type="stacked" maxBarWidth={48} barProps={motion} />;
}
