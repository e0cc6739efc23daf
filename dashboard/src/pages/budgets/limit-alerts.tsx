import { Stack, Text, Title } from '@mantine/core';
import { DataTable, type Column } from '../../parts/data-table';
import { PageOutOfRange } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { Moment } from '../../parts/moment';
import { useSearchState } from '../../parts/use-search-state';
import { HISTORY_PAGE_SIZE, useLimitAlerts } from './limit-calls';
import type { Limit, LimitAlert, LimitMeasure } from './limit-types';
import { amountText, amountWithUnit } from './limit-words.rules';

export function LimitAlerts({ of: { id, measure, alert_thresholds } }: { readonly of: Limit }) {
  const { page } = useSearchState();
  const alerts = useLimitAlerts(id, page);
  const total = alerts.data?.total ?? 0;
  return (
    <Stack gap="sm" component="section" aria-labelledby="alerts">
      <Title order={2} size="h4" id="alerts">
        Alerts
      </Title>
      <DataTable
        label="Limit alerts"
        columns={columnsOf(measure)}
        rows={alerts.data?.alerts}
        rowId={({ at, threshold }) => `${at} ${threshold}`}
        reading={alerts}
        empty={
          total > 0 ? (
            <PageOutOfRange />
          ) : (
            <EmptyState title="No alerts yet">
              {alert_thresholds.length === 0
                ? 'This limit has no alert thresholds.'
                : `Alerts are sent at ${alert_thresholds.join('%, ')}% of the amount, once per period.`}
            </EmptyState>
          )
        }
        paging={{ total, pageSize: HISTORY_PAGE_SIZE }}
      />
    </Stack>
  );
}

const alertText = ({ threshold }: LimitAlert): string =>
  threshold === null ? 'Forecast: the limit will be reached' : `${threshold}% reached`;

const columnsOf = (measure: LimitMeasure): readonly Column<LimitAlert>[] => [
  { header: 'Time', cell: ({ at }) => <Moment at={at} />, csv: ({ at }) => at },
  { header: 'Alert', cell: alertText, csv: alertText },
  {
    header: 'Used',
    cell: ({ used, amount }) => (
      <Text size="sm">
        {amountText(measure, used)} of {amountWithUnit(measure, amount)}
      </Text>
    ),
    csv: ({ used }) => used,
  },
  { header: 'Amount', csv: ({ amount }) => amount },
];
