import { SimpleGrid, Stack } from '@mantine/core';
import { UnpricedMark } from '../../parts/amount';
import { ChartTile } from '../../parts/chart-tile';
import { dollars, nanosOf } from '../../parts/dollars';
import { count, percent, plural } from '../../parts/numbers';
import type { CostFigures, Costs } from './cost-calls';

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthInWords = (month: string): string => MONTH.format(new Date(`${month}-01T00:00:00Z`));

interface Props {
  readonly costs: Costs;
  /** The period in words. */
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
        <Total label="This month" figures={this_month} when={`${monthInWords(this_month.month)} until now`} />
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
      value={valueOf(cost, unpriced_requests)}
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

function ForecastTile({ costs: { forecast, this_month, last_month } }: { readonly costs: Costs }) {
  const label = 'Forecast of this month';
  if (forecast === null)
    return <ChartTile label={label} value="–" detail="It needs one complete day of this month with costs." />;
  const { amount, based_on_days } = forecast;
  return (
    <ChartTile
      label={label}
      value={valueOf(amount, this_month.unpriced_requests)}
      full={`$${amount}`}
      detail={
        <Stack gap={0}>
          {comparison(amount, last_month.cost)}
          <span>
            Method: the average of {count(based_on_days)} complete {plural(based_on_days, 'day')}, for each remaining
            day
          </span>
        </Stack>
      }
    />
  );
}

const valueOf = (cost: string | null, unpriced: number): string =>
  cost === null ? 'no price' : `${unpriced > 0 ? '≥ ' : ''}${dollars(cost)}`;

/** Formats `12.5% more than last month`; null without costs to compare with. */
function comparison(amount: string, before: string | null): string | null {
  const last = before === null ? 0n : nanosOf(before);
  if (last === 0n) return null;
  const change = nanosOf(amount) - last;
  if (change === 0n) return 'as much as last month';
  const share = Number(((change < 0n ? -change : change) * 10_000n) / last) / 100;
  return `${percent(share)} ${change < 0n ? 'less' : 'more'} than last month`;
}
