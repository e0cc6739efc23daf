import { Anchor, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { MarkedAmount } from '../../parts/amount';
import { Figure } from '../../parts/chart-figure';
import { ChartShare } from '../../parts/chart-share';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { nanosOf } from '../../parts/dollars';
import { count, percent } from '../../parts/numbers';
import { longDay } from '../../parts/period';
import { errorRateOf, type DailyUsage, type UsageFigures, type UsageOfKey, type UsageOfModel } from './usage-query';

const SORTS: { readonly [name: string]: (row: UsageFigures) => number | bigint } = {
  requests: ({ requests }) => requests,
  errors: ({ errors }) => errors,
  error_rate: (row) => errorRateOf(row) ?? -1,
  input_tokens: ({ input_tokens }) => input_tokens,
  output_tokens: ({ output_tokens }) => output_tokens,
  total_tokens: ({ total_tokens }) => total_tokens,
  estimated_tokens: ({ estimated_tokens }) => estimated_tokens,
  cache_read_tokens: ({ cache_read_tokens }) => cache_read_tokens,
  // An unknown cost is below the lowest one.
  cost: ({ cost }) => (cost === null ? -1n : nanosOf(cost)),
};

/** @param by sort order; null or an unknown name keeps the order of `rows` */
export function sortedBy<T extends UsageFigures>(
  rows: readonly T[],
  by: string | null,
  dir: 'asc' | 'desc',
): readonly T[] {
  const figureOf = by === null ? undefined : SORTS[by];
  if (figureOf === undefined) return rows;
  const sign = dir === 'asc' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [figureOf(one), figureOf(other)];
    return sign * (Number(a > b) - Number(a < b));
  });
}

export const keyColumns = (all: number): readonly Column<UsageOfKey>[] => [
  { header: 'Key', cell: (row) => <KeyCell {...row} />, csv: ({ key_name }) => key_name },
  { header: 'Key ID', csv: ({ key_id }) => key_id },
  ...figureColumns<UsageOfKey>(all),
];

export const modelColumns = (all: number): readonly Column<UsageOfModel>[] => [
  { header: 'Model', cell: (row) => <ModelCell {...row} />, csv: ({ model }) => model },
  ...figureColumns<UsageOfModel>(all),
];

export const DAY_COLUMNS: readonly Column<DailyUsage>[] = [
  { header: 'Day (UTC)', cell: ({ date }) => <Figure>{longDay(date)}</Figure>, csv: ({ date }) => date },
  ...figureColumns<DailyUsage>(null),
];

/** @param all total number of requests, for the share column; null omits the column */
function figureColumns<T extends UsageFigures>(all: number | null): Column<T>[] {
  const number = (header: string, name: Exclude<keyof UsageFigures, 'cost'>): Column<T> => ({
    header,
    sort: name,
    align: 'right',
    cell: (row) => count(row[name]),
    csv: (row) => row[name],
  });
  const share: Column<T> = {
    header: 'Share',
    cell: ({ requests }) => <ShareCell share={all === null || all === 0 ? 0 : requests / all} />,
  };
  return [
    number('Requests', 'requests'),
    ...(all === null ? [] : [share]),
    number('Errors', 'errors'),
    {
      header: 'Error rate',
      sort: 'error_rate',
      align: 'right',
      cell: (row) => <Figure>{percent(errorRateOf(row))}</Figure>,
      csv: (row) => errorRateOf(row)?.toFixed(2),
    },
    {
      header: 'Cost',
      sort: 'cost',
      align: 'right',
      cell: (row) => <MarkedAmount cost={row.cost} unpriced={row.unpriced_requests} />,
      csv: (row) => row.cost,
    },
    { header: 'Requests without a price', csv: (row) => row.unpriced_requests },
    number('Input tokens', 'input_tokens'),
    number('Output tokens', 'output_tokens'),
    number('Total tokens', 'total_tokens'),
    number('Cache reads', 'cache_read_tokens'),
    number('Estimated', 'estimated_tokens'),
  ];
}

function ShareCell({ share }: { readonly share: number }) {
  return (
    <Stack gap={2} w={90}>
      <Text size="xs">{percent(100 * share)}</Text>
      <ChartShare share={share} />
    </Stack>
  );
}

function KeyCell({ key_id, key_name }: UsageOfKey) {
  return (
    <Stack gap={0} align="start" miw={120}>
      <Anchor component={Link} to={`/keys/${key_id}`} inherit {...clamped(key_name ?? key_id)}>
        {key_name ?? 'Unnamed key'}
      </Anchor>
      <OnlyThisKey id={key_id} />
    </Stack>
  );
}

function OnlyThisKey({ id }: { readonly id: string }) {
  const [params] = useSearchParams();
  const next = new URLSearchParams(params);
  next.set('key_id', id);
  return (
    <Anchor component={Link} to={{ search: next.toString() }} size="xs" ff="monospace" title={`Show only ${id}`}>
      {id.slice(0, 8)}
    </Anchor>
  );
}

function ModelCell({ model }: UsageOfModel) {
  if (model === null) return 'No model';
  return (
    <Anchor
      component={Link}
      to={`/models?search=${encodeURIComponent(model)}`}
      inherit
      style={{ overflowWrap: 'anywhere' }}
    >
      {model}
    </Anchor>
  );
}
