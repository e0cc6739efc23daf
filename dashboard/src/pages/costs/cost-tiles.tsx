import { SimpleGrid, Stack } from '@mantine/core';
import { amountText, UnpricedMark } from '../../parts/amount';
import { ChartTile } from '../../parts/chart-tile';
import { changeInWords } from '../../parts/dollars';
import { count, plural } from '../../parts/numbers';
import type { CostFigures, Costs } from './cost-calls';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

interface Props {
  readonly costs: Costs;
  readonly when: string;
}

export function CostTiles({ costs, when }: Props) {
  const { totals, this_month, last_month } = costs;
  return (
    <section aria-labelledby="totals">
      <h2 id="totals" className="visually-hidden">
        Totals
      </h2>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
        <Total label="This month" figures={this_month} when={`${monthInWords(this_month.month)} so far`} />
        <Total label="Last month" figures={last_month} when={monthInWords(last_month.month)} />
        <ForecastTile costs={costs} />
        <Total label="This period" figures={totals} when={when} />
      </SimpleGrid>
    </section>
  );
}

interface TotalProps {
  readonly label: string;
  readonly figures: CostFigures;
  readonly when: string;
}

function Total({ label, figures: { cost, requests, unpriced_requests }, when }: TotalProps) {
  return (
    <ChartTile
      label={label}
      value={amountText(cost, unpriced_requests)}
      full={cost === null ? undefined : `$${cost}`}
      detail={
        <Stack gap={0} align="start">
          {`${when}: ${count(requests)} ${plural(requests, 'request')}`}
          <UnpricedMark requests={unpriced_requests} />
        </Stack>
      }
    />
  );
}

export function ForecastTile({ costs: { forecast, this_month, last_month } }: { readonly costs: Costs }) {
  const label = 'Forecast for this month';
  if (forecast === null)
    return (
      <ChartTile label={label} value="–" detail="The forecast requires one complete day with costs in this month." />
    );
  const { amount, based_on_days } = forecast;
  return (
    <ChartTile
      label={label}
      value={amountText(amount, this_month.unpriced_requests)}
      full={`$${amount}`}
      detail={
        <Stack gap={0}>
          {changeInWords(amount, last_month.cost, 'last month')}
          <span>
            Method: the average of {count(based_on_days)} complete {plural(based_on_days, 'day')}, for each remaining
            day
          </span>
        </Stack>
      }
    />
  );
}
