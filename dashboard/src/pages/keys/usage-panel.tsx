import { Button, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Amount, UnpricedMark } from '../../parts/amount';
import { downloadCsv } from '../../parts/csv';
import { sumOfAmounts } from '../../parts/dollars';
import { ErrorNotice } from '../../parts/error-notice';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { count, plural } from '../../parts/numbers';
import { daysOf } from '../../parts/period';
import { useSearchState } from '../../parts/use-search-state';
import { UsageChart } from '../usage/usage-chart';
import { useKeyUsage } from './key-queries';
import type { DailyUsage } from './key-types';

const PERIODS = [30, 90, 365] as const;

export function UsagePanel({ keyId }: { readonly keyId: string }) {
  const { get, set } = useSearchState();
  const days = PERIODS.find((offered) => String(offered) === get('days')) ?? PERIODS[0];
  const range = daysOf({ kind: 'days', days });
  const usage = useKeyUsage(keyId, range.from, days);
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
      <UsageChart
        daily={daily}
        range={range}
        suffix=" (UTC)"
        controls={
          <SegmentedControl
            size="xs"
            aria-label="Period"
            data={PERIODS.map((offered) => ({ value: String(offered), label: `${offered} days` }))}
            value={String(days)}
            onChange={(value) => set({ days: value === '30' ? null : value })}
          />
        }
      />
      <Total daily={daily} />
    </Stack>
  );
}

function Total({ daily }: { readonly daily: readonly DailyUsage[] }) {
  if (daily.length === 0) return <Text size="sm">No requests in this period.</Text>;
  const sum = (of: (day: DailyUsage) => number) => daily.reduce((total, day) => total + of(day), 0);
  const [requests, errors] = [sum((day) => day.requests), sum((day) => day.errors)];
  const tokens = sum((day) => day.total_tokens);
  const [reads, writes] = [sum((day) => day.cache_read_tokens), sum((day) => day.cache_write_tokens)];
  return (
    <Text size="sm" component="div">
      {count(requests)} {plural(requests, 'request')}, {count(errors)} {plural(errors, 'error')} and {count(tokens)}{' '}
      {plural(tokens, 'token')}. {reads + writes > 0 && <CacheTokens reads={reads} writes={writes} />}
      <Cost daily={daily} />{' '}
      <Button size="compact-sm" variant="subtle" onClick={() => downloadCsv('key-usage', CSV, daily)}>
        Export as CSV
      </Button>
    </Text>
  );
}

interface CacheTokensProps {
  readonly reads: number;
  readonly writes: number;
}

/** Shows both counts next to the tokens, because only some formats include them in the input. */
function CacheTokens({ reads, writes }: CacheTokensProps) {
  return (
    <>
      Prompt caches: {count(reads)} {plural(reads, 'token')} read, {count(writes)} written.{' '}
    </>
  );
}

function Cost({ daily }: { readonly daily: readonly DailyUsage[] }) {
  const cost = sumOfAmounts(daily.map((day) => day.cost));
  const unpriced = daily.reduce((total, day) => total + day.unpriced_requests, 0);
  if (cost === null && unpriced === 0) return 'No costs were recorded.';
  return (
    <>
      Cost: <Amount cost={cost} atLeast={unpriced > 0} />. <UnpricedMark requests={unpriced} />
    </>
  );
}

const CSV = (
  [
    'date' as const,
    'requests' as const,
    'errors' as const,
    'input_tokens' as const,
    'output_tokens' as const,
    'total_tokens' as const,
    'estimated_tokens' as const,
    'cache_read_tokens' as const,
    'cache_write_tokens' as const,
    'cost' as const,
    'unpriced_requests' as const,
  ] as const
).map((name) => ({ name, value: (day: DailyUsage) => day[name] }));
