import { Anchor, Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { Link } from 'react-router';
import { amountText, UnpricedMark } from '../../parts/amount';
import { ChartTile } from '../../parts/chart-tile';
import { changeInWords } from '../../parts/dollars';
import { ErrorNotice } from '../../parts/error-notice';
import { count, plural } from '../../parts/numbers';
import { longDay } from '../../parts/period';
import { StaleDataWarning } from '../../parts/stale-data-warning';
import { useCosts, type Costs } from '../costs/cost-calls';
import { ForecastTile } from '../costs/cost-tiles';
import { costsIn, monthToDate, type MonthToDate, type SpanCosts } from './month-costs.rules';

/** Shows the costs of this month, regardless of the period of the page. */
export function MonthCosts() {
  const months = monthToDate(Date.now());
  const costs = useCosts({ from: months.before.from, to: months.now.to, keyId: null }, 'day');
  return (
    <Stack gap="md" component="section" aria-labelledby="month-costs">
      <Group justify="space-between">
        <Title order={2} size="h4" id="month-costs">
          Costs
        </Title>
        <Anchor component={Link} to="/costs" size="sm">
          All costs
        </Anchor>
      </Group>
      {costs.data === undefined && costs.isError ? (
        <ErrorNotice error={costs.error} retry={() => void costs.refetch()} />
      ) : (
        <>
          <StaleDataWarning reading={costs} />
          {costs.data === undefined ? <Skeleton height={110} /> : <Tiles costs={costs.data} months={months} />}
        </>
      )}
    </Stack>
  );
}

interface TilesProps {
  readonly costs: Costs;
  readonly months: MonthToDate;
}

function Tiles({ costs, months }: TilesProps) {
  const [now, before] = [costsIn(costs.groups, months.now), costsIn(costs.groups, months.before)];
  const { from, to } = months.before;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
      <SpanTile label="This month" of={now} detail={changeOf(now, before)} />
      <SpanTile label="Last month to the same day" of={before} detail={`${longDay(from)} to ${longDay(to)}`} />
      <ForecastTile costs={costs} />
    </SimpleGrid>
  );
}

interface SpanTileProps {
  readonly label: string;
  readonly of: SpanCosts;
  readonly detail: string | null;
}

function SpanTile({ label, of: { cost, requests, unpriced }, detail }: SpanTileProps) {
  return (
    <ChartTile
      label={label}
      value={amountText(cost, unpriced)}
      full={cost === null ? undefined : `$${cost}`}
      detail={
        <Stack gap={0} align="start">
          {detail}
          <span>
            {count(requests)} {plural(requests, 'request')}
          </span>
          <UnpricedMark requests={unpriced} />
        </Stack>
      }
    />
  );
}

/** Lower bounds are not compared, because missing prices could cause their difference. */
const changeOf = (now: SpanCosts, before: SpanCosts): string | null =>
  now.cost === null || now.unpriced + before.unpriced > 0
    ? null
    : changeInWords(now.cost, before.cost, 'last month to the same day');
