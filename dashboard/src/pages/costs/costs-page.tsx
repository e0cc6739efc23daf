import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { KeySelect } from '../../parts/key-select';
import { count } from '../../parts/numbers';
import { Page } from '../../parts/page';
import { PageSkeleton } from '../../parts/page-skeleton';
import { daysOf, periodText } from '../../parts/period';
import { PeriodChooser } from '../../parts/period-chooser';
import { usePeriod } from '../../parts/period-state';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { TeamSelect } from '../../parts/team-select';
import { useSearchState } from '../../parts/use-search-state';
import { csvQuery, useCosts, type CostFigures, type CostScope } from './cost-calls';
import { CostChart } from './cost-chart';
import { COST_DIMENSIONS, dimensionOf } from './cost-dimensions.data';
import { CostTable } from './cost-table';
import { CostTiles } from './cost-tiles';

export function CostsPage() {
  const { get, set } = useSearchState();
  const keyId = get('key_id');
  const teamId = get('team_id');
  const scope = { ...daysOf(usePeriod()), keyId, teamId };
  const dimension = dimensionOf(COST_DIMENSIONS, get('by'));
  return (
    <Page
      title="Costs"
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={`/admin/costs?${csvQuery(scope, `day,${dimension.value}`)}`}
            download
          >
            Download CSV by day
          </Button>
          <Button component={Link} variant="default" to="/costs/prices">
            Prices
          </Button>
        </>
      }
    >
      <Group align="end" gap="md">
        <PeriodChooser grain="day" />
        <KeySelect value={keyId} onChange={(id) => set({ key_id: id })} />
        <TeamSelect size="xs" w={200} value={teamId} onChange={(id) => set({ team_id: id })} />
      </Group>
      <Figures scope={scope} />
    </Page>
  );
}

function Figures({ scope }: { readonly scope: CostScope }) {
  const period = usePeriod();
  const dimension = dimensionOf(COST_DIMENSIONS, useSearchState().get('by'));
  const costs = useCosts(scope, dimension.value);
  if (costs.data === undefined)
    return costs.isError ? <ErrorNotice error={costs.error} retry={() => void costs.refetch()} /> : <PageSkeleton />;
  return (
    <Stack gap="lg" aria-busy={costs.isPlaceholderData} opacity={costs.isPlaceholderData ? 0.6 : 1}>
      <StaleDataWarning reading={costs} />
      <CostTiles costs={costs.data} when={periodText(period, 'day')} />
      {costs.data.totals.requests === 0 ? (
        <NoCosts ofKey={scope.keyId !== null} ofTeam={scope.teamId !== null} when={periodText(period, 'day')} />
      ) : (
        <>
          <CostChart scope={scope} />
          <Explanation of={costs.data.totals} />
          <CostTable costs={costs.data} dimension={dimension} />
        </>
      )}
    </Stack>
  );
}

interface NoCostsProps {
  readonly ofKey: boolean;
  readonly ofTeam: boolean;
  readonly when: string;
}

function NoCosts({ ofKey, ofTeam, when }: NoCostsProps) {
  const others = [...(ofKey ? ['key'] : []), ...(ofTeam ? ['team'] : [])];
  return (
    <Paper withBorder>
      <EmptyState title="No costs in this period">
        No {others.length > 0 && 'matching '}request was sent to a provider ({when}). Choose a longer period
        {others.map((name) => ` or another ${name}`)}.
      </EmptyState>
    </Paper>
  );
}

function Explanation({ of: { backfilled_requests, estimated_requests } }: { readonly of: CostFigures }) {
  return (
    <Text size="sm" maw={760}>
      Costs are in US dollars, by UTC day. Each request is priced with its exact usage and rounded up once.{' '}
      {estimated_requests > 0 &&
        `The usage of ${count(estimated_requests)} of these requests is an estimate, at least in part. `}
      {backfilled_requests > 0 &&
        `${count(backfilled_requests)} of these requests are from before costs were recorded. Their cost is computed from daily token totals. `}
      Requests without a price{' '}
      <Anchor component={Link} to="/costs/prices" inherit underline="always">
        need one
      </Anchor>
      : they never count as free.
    </Text>
  );
}
