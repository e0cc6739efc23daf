import '@mantine/charts/styles.css';
import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { ChartProps } from './chart';
import { compact, count } from './numbers';

/**
 * The chart itself, alone in its file: with it comes the library. It takes no focus, since it stands in an image that is told
 * in words and has a table beside it.
 */
export function ChartPlot({ points, series, kind = 'bar', format = count, height }: ChartProps) {
  const still = useReducedMotion();
  const labels = new Map(points.map(({ label, title }) => [title, label]));
  const data = points.map(({ title, values }) => ({ ...values, title }));
  const shared = {
    h: height,
    data,
    // In full, so that no two are the same; the axis has room for the short form.
    dataKey: 'title',
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    withLegend: series.length > 1,
    legendProps: { verticalAlign: 'bottom' as const },
    textColor: 'var(--mantine-color-text)',
    accessibilityLayer: false,
    valueFormatter: format,
    xAxisProps: {
      tickFormatter: (title: string) => labels.get(title) ?? title,
      minTickGap: 24,
      interval: 'equidistantPreserveStart' as const,
    },
    yAxisProps: { tickFormatter: compact, width: 48, allowDecimals: false },
  };
  const motion = { isAnimationActive: !still, animationDuration: 200 };
  if (kind === 'line') return <LineChart {...shared} withDots={false} lineProps={motion} />;
  if (kind === 'area') return <AreaChart {...shared} type="stacked" withDots={false} areaProps={motion} />;
  return <BarChart {...shared} type="stacked" maxBarWidth={48} barProps={motion} />;
}
