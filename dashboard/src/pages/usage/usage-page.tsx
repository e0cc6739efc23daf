import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { daysOf, linkWith, periodText } from '../../parts/period';
import { PeriodChooser } from '../../parts/period-chooser';
import { usePeriod } from '../../parts/period-state';
import { useSearchState } from '../../parts/use-search-state';
import { KeySelect } from '../../parts/key-select';
import { UsageChart } from './usage-chart';
import { useUsage } from './usage-query';
import { UsageTables } from './usage-tables';
import { UsageTotals } from './usage-totals';

export function UsagePage() {
  const { get, set } = useSearchState();
  const keyId = get('key_id');
  return (
    <Page title="Usage">
      <Group align="end" gap="md">
        <PeriodChooser grain="day" />
        <KeySelect value={keyId} onChange={(id) => set({ key_id: id })} />
      </Group>
      <Figures keyId={keyId} />
    </Page>
  );
}

function Figures({ keyId }: { readonly keyId: string | null }) {
  const period = usePeriod();
  const usage = useUsage(daysOf(period), keyId);
  if (usage.data === undefined)
    return usage.isError ? <ErrorNotice error={usage.error} retry={() => void usage.refetch()} /> : <PageSkeleton />;
  const age = <StaleDataWarning reading={usage} />;
  if (usage.data.totals.requests === 0)
    return (
      <>
        {age}
        <NoUsage keyId={keyId} when={periodText(period, 'day')} />
      </>
    );
  return (
    <Stack gap="lg" aria-busy={usage.isPlaceholderData} opacity={usage.isPlaceholderData ? 0.6 : 1}>
      {age}
      <UsageTotals usage={usage.data} />
      <UsageChart daily={usage.data.daily} range={usage.data} />
      <Explanation
        statistics={linkWith('/statistics', period, { key_id: keyId })}
        costs={linkWith('/costs', period, { key_id: keyId })}
      />
      <UsageTables usage={usage.data} />
    </Stack>
  );
}

function NoUsage({ keyId, when }: { readonly keyId: string | null; readonly when: string }) {
  return (
    <Paper withBorder>
      <h2 className="visually-hidden">Figures</h2>
      <EmptyState title="No requests in this period">
        {keyId === null
          ? `The gateway admitted no requests (${when}). Choose a longer period, or send a request with one of your keys.`
          : `The gateway admitted no requests with this key (${when}). Choose a longer period or another key.`}
      </EmptyState>
    </Paper>
  );
}

interface ExplanationProps {
  readonly statistics: string;
  readonly costs: string;
}

function Explanation({ statistics, costs }: ExplanationProps) {
  return (
    <Text size="sm" maw={760}>
      Usage is exact. It counts every request that passed authentication, rate limits and quotas, by UTC day. If a
      response does not report its tokens, for example because the stream was interrupted, the gateway estimates them.
      The token counts include these estimates. For latency and endpoints, see the{' '}
      <Anchor component={Link} to={statistics} inherit underline="always">
        statistics
      </Anchor>
      . For costs by endpoint and upstream, see the{' '}
      <Anchor component={Link} to={costs} inherit underline="always">
        costs
      </Anchor>
      .
    </Text>
  );
}
