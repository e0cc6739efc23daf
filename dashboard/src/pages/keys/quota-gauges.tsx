import { Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { ErrorNotice } from '../../parts/error-notice';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { useHasRole } from '../../session/use-session';
import { useKeyQuota } from './key-queries';
import type { ApiKey, KeyQuota } from './key-types';
import { QuotaGauge, type Gauge } from './quota-gauge';
import { ResetQuota } from './reset-quota';

export function QuotaGauges({ of: key }: { readonly of: ApiKey }) {
  const usable = key.status !== 'revoked';
  const mayReset = useHasRole('admin') && usable;
  const quota = useKeyQuota(key.id, usable);
  return (
    <Stack gap="sm" component="section" aria-label="Quota">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Current usage
        </Title>
        {mayReset && <ResetQuota of={key} />}
      </Group>
      <StaleDataWarning reading={quota} />
      {quota.data === undefined && quota.error !== null ? (
        <ErrorNotice error={quota.error} retry={() => void quota.refetch()} />
      ) : (
        <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
          {quota.data === undefined
            ? LABELS.map((label) => <Skeleton key={label} height={104} />)
            : gaugesOf(quota.data).map((gauge) => (
                <QuotaGauge key={gauge.label} {...gauge} aheadMs={aheadOf(quota.data, quota.dataUpdatedAt)} />
              ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

const LABELS = ['Requests this minute', 'Requests today', 'Requests this month', 'Tokens this month'] as const;

function gaugesOf({ limits, current: { minute, day, month } }: KeyQuota): readonly Gauge[] {
  return [
    { label: LABELS[0], used: minute.count, limit: limits.rpm, resetsAt: minute.reset_at },
    { label: LABELS[1], used: day.count, limit: limits.rpd, resetsAt: day.reset_at },
    { label: LABELS[2], used: month.request_count, limit: limits.monthly_requests, resetsAt: month.reset_at },
    { label: LABELS[3], used: month.token_count, limit: limits.monthly_tokens, resetsAt: month.reset_at },
  ];
}

/** Returns how far the gateway's clock is ahead of the browser's, because limits reset by the gateway's clock. */
const aheadOf = (quota: KeyQuota, readAtMs: number): number => Date.parse(quota.checked_at) - readAtMs;
