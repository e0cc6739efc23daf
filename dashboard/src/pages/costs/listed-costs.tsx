import { Anchor, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { MarkedAmount } from '../../parts/amount';
import type { Column } from '../../parts/data-table';
import { daysOf } from '../../parts/period';
import { useCosts, type CostGroup, type Costs } from './cost-calls';
import { COST_DIMENSIONS, type CostDimension } from './cost-dimensions.data';

const DAYS = 30;
/** Fits three lines of text, because these lists have many columns. */
const MARK_WIDTH = 105;

interface ListedCosts {
  readonly dimension: CostDimension;
  readonly costs: UseQueryResult<Costs>;
  readonly groups: ReadonlyMap<string, CostGroup>;
}

/** Reads the costs of the last 30 days once for all pages of a list. */
export function useListedCosts(by: 'key' | 'team' | 'model'): ListedCosts {
  const dimension = COST_DIMENSIONS.find(({ value }) => value === by)!;
  const costs = useCosts({ ...daysOf({ kind: 'days', days: DAYS }), keyId: null }, by);
  return { dimension, costs, groups: new Map(costs.data?.groups.map((group) => [dimension.idOf(group), group])) };
}

/**
 * Returns columns with the cost of the last 30 days.
 * @param idOf the ID of the key or team, or the model's name
 */
export const costColumns = <T,>(listed: ListedCosts, idOf: (row: T) => string): readonly Column<T>[] => [
  {
    header: `Cost (${DAYS} d)`,
    align: 'right',
    cell: (row) => <ListedCost listed={listed} id={idOf(row)} />,
    csv: (row) => listed.groups.get(idOf(row))?.cost,
  },
  { header: 'Requests without a price', csv: (row) => listed.groups.get(idOf(row))?.unpriced_requests },
];

interface Props {
  readonly listed: ListedCosts;
  readonly id: string;
}

function ListedCost({ listed: { dimension, costs, groups }, id }: Props) {
  if (costs.data === undefined) return costs.isError ? 'unknown' : <Skeleton height={14} width={56} ml="auto" />;
  const group = groups.get(id);
  if (group !== undefined)
    return <MarkedAmount cost={group.cost} unpriced={group.unpriced_requests} markWidth={MARK_WIDTH} />;
  if (!costs.data.has_more) return '–';
  // The response has only the highest costs.
  return (
    <Anchor
      component={Link}
      to={dimension.value === 'model' ? '/costs?by=model' : `/costs?${dimension.value}_id=${id}`}
      size="sm"
    >
      see costs
    </Anchor>
  );
}
