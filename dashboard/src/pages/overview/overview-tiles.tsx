import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CHART_COLORS, pointsByDay } from '../../parts/chart-series';
import { ChartTile } from '../../parts/chart-tile';
import { compact, count, latency, percent } from '../../parts/numbers';
import { daysBefore, daysBetween, daysOf, linkWith } from '../../parts/period';
import { usePeriod } from '../../parts/period-state';
import { errorRateOf, sentOf, useUsage, type DailyUsage, type Usage, type UsageFigures } from '../usage/usage-query';
import { useBusiestEndpoints } from './busiest-endpoints';
import { useLatencyBySpan } from './latency-by-span';
import { failedRequestsIn } from './request-errors';

const FIGURES = {
  requests: ({ requests }: DailyUsage) => requests,
  errors: ({ errors }: DailyUsage) => errors,
  tokens: ({ total_tokens }: DailyUsage) => total_tokens,
};

export function OverviewTiles({ usage }: { readonly usage: Usage | undefined }) {
  const period = usePeriod();
  const days = daysOf(period);
  const earlier = useUsage(daysBefore(days), null).data;
  const before = earlier?.totals;
  const points = usage === undefined ? [] : pointsByDay(usage.daily, usage, FIGURES);
  const totals = usage?.totals;
  const span = daysBetween(days.from, days.to);
  const than = span === 1 ? 'on the previous day' : `in the previous ${span} days`;
  const spark = (name: keyof typeof FIGURES, color: string) =>
    points.length === 1 ? undefined : { points, name, color: cssColor(color) };
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      <ChartTile
        label="Requests"
        value={totals && compact(totals.requests)}
        full={count(totals?.requests)}
        detail={changeOf('requests', totals, before, than)}
        to={linkWith('/usage', period)}
        spark={spark('requests', CHART_COLORS.main)}
      />
      <ChartTile
        label="Errors"
        value={usage && compact(sentOf(usage).errors)}
        full={usage && count(sentOf(usage).errors)}
        detail={usage && errorsDetail(usage, earlier)}
        to={failedRequestsIn(period)}
        spark={spark('errors', CHART_COLORS.error)}
      />
      <ChartTile
        label="Tokens"
        value={totals && compact(totals.total_tokens)}
        full={count(totals?.total_tokens)}
        detail={changeOf('total_tokens', totals, before, than)}
        to={linkWith('/usage', period, { metric: 'tokens' })}
        spark={spark('tokens', CHART_COLORS.main)}
      />
      <LatencyTile />
    </SimpleGrid>
  );
}

/** Shows only the busiest endpoint, because percentiles of several endpoints cannot be combined. */
function LatencyTile() {
  const period = usePeriod();
  const { data, isError } = useBusiestEndpoints(period);
  const first = data?.[0];
  const points = useLatencyBySpan(daysOf(period), first?.endpoint).data;
  const spark = { name: 'p95', color: cssColor(CHART_COLORS.main), format: latencyOrNone, additive: false };
  return (
    <ChartTile
      label="Latency (p95)"
      value={isError ? '–' : data && latency(first?.p95_latency_ms)}
      detail={
        isError ? (
          'Failed to load.'
        ) : first === undefined ? (
          data && 'No sampled requests.'
        ) : (
          <>
            p50 {latency(first.p50_latency_ms)}
            <Text size="xs">for {first.endpoint}</Text>
          </>
        )
      }
      to={linkWith('/statistics', period, { sort_by: 'p95_latency_ms' })}
      spark={points && { ...spark, points }}
    />
  );
}

const latencyOrNone = (ms: number): string => (ms === 0 ? 'no requests' : latency(ms));

function errorsDetail(usage: Usage, before: Usage | undefined): ReactNode {
  const rate = errorRateOf(sentOf(usage));
  if (rate === null) return 'no requests';
  const earlier = before === undefined ? null : errorRateOf(sentOf(before));
  return (
    <>
      {percent(rate)} of requests{earlier === null ? '' : `, previously ${percent(earlier)}`}
      <Text size="xs">{count(usage.rejected_requests)} rejected before admission</Text>
    </>
  );
}

/** Formats `12% more than in the previous 30 days`. Returns undefined if there is nothing to compare with. */
function changeOf(
  name: 'requests' | 'total_tokens',
  totals: UsageFigures | undefined,
  before: UsageFigures | undefined,
  than: string,
): string | undefined {
  if (totals === undefined || before === undefined || before[name] === 0) return undefined;
  const change = Math.round((100 * (totals[name] - before[name])) / before[name]);
  if (change === 0) return `about as many as ${than}`;
  return `${count(Math.abs(change))}% ${change > 0 ? 'more' : 'fewer'} than ${than}`;
}

/** Converts a theme color such as `indigo.6` to its CSS variable. */
const cssColor = (color: string): string => `var(--mantine-color-${color.replace('.', '-')})`;
