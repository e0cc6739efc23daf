import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { MarkedAmount } from '../../parts/amount';
import { ChartShare } from '../../parts/chart-share';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { nanosOf } from '../../parts/dollars';
import { count, percent } from '../../parts/numbers';
import type { CostFigures, CostGroup } from './cost-calls';
import type { CostDimension } from './cost-dimensions.data';

export function costColumns(dimension: CostDimension, totals: CostFigures): readonly Column<CostGroup>[] {
  const { label, nameOf, idOf, value } = dimension;
  return [
    { header: label, sort: 'name', cell: (row) => <Name of={row} dimension={dimension} />, csv: nameOf },
    ...(value === 'key' || value === 'team' ? [{ header: `${label} ID`, csv: idOf }] : []),
    {
      header: 'Cost',
      sort: 'cost',
      align: 'right',
      cell: ({ cost, unpriced_requests }) => <MarkedAmount cost={cost} unpriced={unpriced_requests} />,
      csv: ({ cost }) => cost,
    },
    { header: 'Share', cell: ({ cost }) => <Share cost={cost} of={totals.cost} /> },
    number('Requests', 'requests', ({ requests }) => requests),
    { header: 'Requests without a price', csv: ({ unpriced_requests }) => unpriced_requests },
    number('Input', 'input', ({ tokens }) => tokens?.input ?? 0),
    number('Cached input', 'cached_input', ({ tokens }) => tokens?.cached_input ?? 0),
    number('Output', 'output', ({ tokens }) => tokens?.output ?? 0),
  ];
}

const number = (header: string, sort: string, valueOf: (row: CostGroup) => number): Column<CostGroup> => ({
  header,
  sort,
  align: 'right',
  cell: (row) => count(valueOf(row)),
  csv: valueOf,
});

const FIGURES: { readonly [name: string]: (row: CostGroup) => bigint | number } = {
  // An unknown cost sorts below the lowest one.
  cost: ({ cost }) => (cost === null ? -1n : nanosOf(cost)),
  requests: ({ requests }) => requests,
  input: ({ tokens }) => tokens?.input ?? 0,
  cached_input: ({ tokens }) => tokens?.cached_input ?? 0,
  output: ({ tokens }) => tokens?.output ?? 0,
};

export function sortedBy(
  rows: readonly CostGroup[],
  { nameOf }: CostDimension,
  by: string,
  dir: 'asc' | 'desc',
): readonly CostGroup[] {
  const sign = dir === 'asc' ? 1 : -1;
  if (by === 'name') return rows.toSorted((one, other) => sign * nameOf(one).localeCompare(nameOf(other)));
  const figureOf = FIGURES[by] ?? FIGURES.cost!;
  return rows.toSorted((one, other) => {
    const [a, b] = [figureOf(one), figureOf(other)];
    return sign * (Number(a > b) - Number(a < b));
  });
}

/** Endpoints and upstreams have no page. */
const PAGES: { readonly [D in CostDimension['value']]?: (id: string) => string } = {
  key: (id) => `/keys/${id}`,
  team: (id) => `/teams/${id}`,
  model: (id) => `/models?search=${encodeURIComponent(id)}`,
};

function Name({ of: row, dimension: { value, nameOf, idOf } }: { of: CostGroup; dimension: CostDimension }) {
  const name = nameOf(row);
  const to = PAGES[value]?.(idOf(row));
  if (to === undefined || idOf(row) === '')
    return (
      <Text size="sm" miw={120} maw={300} {...clamped(name)}>
        {name}
      </Text>
    );
  return (
    <Anchor component={Link} to={to} size="sm" miw={120} maw={300} {...clamped(name)}>
      {name}
    </Anchor>
  );
}

function Share({ cost, of: total }: { readonly cost: string | null; readonly of: string | null }) {
  const all = total === null ? 0n : nanosOf(total);
  const share = cost === null || all === 0n ? 0 : Number((nanosOf(cost) * 10_000n) / all) / 10_000;
  return (
    <Stack gap={2} w={90}>
      <Text size="xs">{percent(100 * share)}</Text>
      <ChartShare share={share} />
    </Stack>
  );
}
