import { Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Chart } from '../../parts/chart';
import { CHART_COLORS, pointsByDay, stepOf, type ChartSeries } from '../../parts/chart-series';
import { downloadCsv } from '../../parts/csv';
import { ErrorNotice } from '../../parts/error-notice';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { count, plural } from '../../parts/numbers';
import { daysOf } from '../../parts/period';
import { useSearchState } from '../../parts/use-search-state';
import { useKeyUsage } from './key-queries';
import type { DailyUsage } from './key-types';

const PERIODS = [30, 90, 365] as const;
const FIGURES = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
] as const;
type Figure = (typeof FIGURES)[number]['value'];

export function UsagePanel({ keyId }: { readonly keyId: string }) {
  const { get, set } = useSearchState();
  const days = PERIODS.find((offered) => String(offered) === get('days')) ?? PERIODS[0];
  const figure: Figure = get('figure') === 'tokens' ? 'tokens' : 'requests';
  const range = daysOf({ kind: 'days', days });
  const usage = useKeyUsage(keyId, range.from, days);
  const controls = (
    <>
      <SegmentedControl
        size="xs"
        aria-label="Metric"
        data={[...FIGURES]}
        value={figure}
        onChange={(value) => set({ figure: value === 'requests' ? null : value })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Period"
        data={PERIODS.map((offered) => ({ value: String(offered), label: `${offered} days` }))}
        value={String(days)}
        onChange={(value) => set({ days: value === '30' ? null : value })}
      />
    </>
  );
  if (usage.data === undefined)
    return usage.error === null ? (
      <Skeleton height={330} />
    ) : (
      <ErrorNotice error={usage.error} retry={() => void usage.refetch()} />
    );
  const { daily } = usage.data;
  return (
    <Stack gap="xs">
      <StaleDataWarning reading={usage} />
      <Chart
        title={`${figure === 'requests' ? 'Requests' : 'Tokens'} by ${stepOf(range)} (UTC)`}
        points={pointsByDay(daily, range, READERS[figure])}
        series={SERIES[figure]}
        controls={controls}
      />
      <Total daily={daily} />
    </Stack>
  );
}

const READERS = {
  requests: {
    answered: ({ requests, errors }: DailyUsage) => requests - errors,
    errors: ({ errors }: DailyUsage) => errors,
  },
  tokens: {
    input: ({ input_tokens }: DailyUsage) => input_tokens,
    output: ({ output_tokens }: DailyUsage) => output_tokens,
  },
};
const SERIES: Readonly<Record<Figure, readonly ChartSeries[]>> = {
  requests: [
    { name: 'answered', label: 'Without error', color: CHART_COLORS.main },
    { name: 'errors', label: 'Errors', color: CHART_COLORS.error },
  ],
  tokens: [
    { name: 'input', label: 'Input', color: CHART_COLORS.main },
    { name: 'output', label: 'Output', color: CHART_COLORS.second },
  ],
};

function Total({ daily }: { readonly daily: readonly DailyUsage[] }) {
  if (daily.length === 0) return <Text size="sm">No requests in this period.</Text>;
  const sum = (of: (day: DailyUsage) => number) => daily.reduce((total, day) => total + of(day), 0);
  const [requests, errors] = [sum((day) => day.requests), sum((day) => day.errors)];
  const tokens = sum((day) => day.total_tokens);
  return (
    <Text size="sm" component="div">
      {count(requests)} {plural(requests, 'request')}, {count(errors)} {plural(errors, 'error')} and {count(tokens)}{' '}
      {plural(tokens, 'token')}.{' '}
      <Button size="compact-sm" variant="subtle" onClick={() => downloadCsv('key-usage', CSV, daily)}>
        Export as CSV
      </Button>
    </Text>
  );
}

const CSV = (
  ['date', 'requests', 'errors', 'input_tokens', 'output_tokens', 'total_tokens', 'estimated_tokens'] as const
).map((name) => ({ name, value: (day: DailyUsage) => day[name] }));
