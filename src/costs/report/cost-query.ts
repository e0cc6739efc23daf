import type { Days } from '../days.rules.js';

export const COST_SORTS = ['cost', 'requests', 'name'] as const;
export type CostSort = (typeof COST_SORTS)[number];

/** The columns that identify a row of `cost_daily`, except the day. */
export const STORED_DIMENSIONS = ['key', 'model', 'endpoint', 'provider'] as const;
export type StoredDimension = (typeof STORED_DIMENSIONS)[number];

/** The costs of a team are those of the keys that belong to it now. */
export const DIMENSIONS = [...STORED_DIMENSIONS, 'team'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** `day` before another dimension: columns of days that are stacked by the other dimension. */
export type Grouping = 'day' | Dimension | `day,${Dimension}`;
export const GROUPINGS: readonly Grouping[] = [
  'day',
  ...DIMENSIONS,
  ...DIMENSIONS.map((dimension) => `day,${dimension}` as const),
];

/**
 * All conditions must hold. An empty text matches rows without a model, endpoint or provider. `tag` is a tag of the key or of its team.
 */
export type CostFilter = Readonly<Partial<Record<Dimension | 'tag', string>>>;

export interface CostQuery {
  readonly days: Days;
  readonly grouping: Grouping;
  readonly filter: CostFilter;
  readonly sort: CostSort;
  /** Groups, or with two dimensions values of the second one. Each value has all of its days. */
  readonly limit: number;
  readonly offset: number;
  /** Limits the groups of a page, because values have many days. */
  readonly rowsMax: number;
}

/** The dimension of a grouping besides the day, or null. */
export const dimensionOf = (grouping: Grouping): Dimension | null =>
  DIMENSIONS.find((dimension) => grouping.endsWith(dimension)) ?? null;

export const isByDay = (grouping: Grouping): boolean => grouping.startsWith('day');
