import { COUNTED_KINDS } from '../report/counted-kinds.data.js';
import { DIMENSIONS, type CostFilter, type CostSort, type Days, type Dimension } from '../report/cost-query.js';

/** The columns of `cost_day_sums`. */
export const SUM_COLUMNS: readonly string[] = [
  ...['requests', 'unpriced_requests', 'estimated_requests', 'backfilled_requests', 'cost_nanos'],
  ...COUNTED_KINDS,
];

/** Sums of rows of `cost_daily`. They are bigint, because numeric would be three times as slow. */
export const ROW_SUMS = rowSumsOf(SUM_COLUMNS);

const SUMS = SUM_COLUMNS.map((name) => `sum(${name}) as ${name}`).join(', ');

export type Statement = [sql: string, values: unknown[]];

type Ranges = readonly [Days, Days];

/** @param ranges a day in both counts once */
export function daysStatement(filter: CostFilter, ranges: Ranges): Statement {
  const source = new CostSource(filter, null, ranges);
  return [
    `with ${source.wanted} select day::text, ${SUMS} from (${source.rows(SUM_COLUMNS)}) rows group by day order by day`,
    source.values,
  ];
}

interface Ranking {
  readonly sort: CostSort;
  readonly limit: number;
  readonly offset: number;
}

interface Values {
  readonly filter: CostFilter;
  readonly dimension: Dimension;
  readonly days: Days;
}

const ORDERS: Readonly<Record<CostSort, string>> = {
  cost: 'cost_nanos desc, value',
  requests: 'requests desc, value',
  name: `lower(name) collate "C" nulls last, value`,
};

/**
 * A page of values in their order. It returns at least one row, so that an empty page has the total number of values too. Only keys
 * have names.
 */
export function rankingStatement({ filter, dimension, days }: Values, { sort, limit, offset }: Ranking): Statement {
  const source = new CostSource(filter, dimension, [days, days]);
  const named =
    dimension === 'key'
      ? 'k.name as name from groups g left join api_keys k on k.id = g.value::uuid'
      : 'null::text as name from groups g';
  return [
    `with ${source.wanted}, groups as materialized (
  select value, sum(cost_nanos) as cost_nanos, sum(requests) as requests
    from (${source.rows(['cost_nanos', 'requests'])}) rows group by value
), named as (
  select g.*, ${named}
)
select (select count(*)::int from groups) as total, value, name
  from (select) one left join (
    select value, name, row_number() over (order by ${ORDERS[sort]}) as rank
      from named order by rank limit ${source.parameter(limit)} offset ${source.parameter(offset)}) page on true
 order by rank`,
    source.values,
  ];
}

/**
 * The sums of these values, or of each of their days. With the ranking in one statement, the planner would not know the number of
 * values. It would then compute all sums again for each value.
 *
 * @param among hundreds at most, because PostgreSQL searches them one after the other
 */
export function valuesStatement(
  { filter, dimension, days }: Values,
  stacked: boolean,
  among: readonly string[],
  rowsMax: number,
): Statement {
  const source = new CostSource(filter, dimension, [days, days]);
  const rows = source.rows(SUM_COLUMNS, source.parameter(among));
  const [day, by] = stacked ? ['day::text', 'day, value'] : ['null::text', 'value'];
  return [
    `with ${source.wanted} select ${day} as day, value, ${SUMS} from (${rows}) rows group by ${by} order by ${by} limit ${source.parameter(rowsMax)}`,
    source.values,
  ];
}

const COLUMNS: Readonly<Record<Dimension, string>> = {
  ...{ key: 'key_id', model: 'model', endpoint: 'endpoint', provider: 'provider' },
};

/**
 * Rows of day, value and sums. Closed days are read from their sums if these have the dimension. All others are summed from
 * `cost_daily`. The lateral joins look up each day in the index, because plain joins would read all days.
 */
class CostSource {
  readonly values: unknown[] = [];
  /** The expression of days that `rows` needs. */
  readonly wanted: string;
  private readonly days: string;
  private readonly used: readonly Dimension[];
  private readonly filters: string;

  /** @param dimension null for one value per day */
  constructor(
    private readonly filter: CostFilter,
    private readonly dimension: Dimension | null,
    ranges: Ranges,
  ) {
    this.used = DIMENSIONS.filter((name) => name === dimension || filter[name] !== undefined);
    this.days = ranges
      .map(({ from, to }) => `day between ${this.parameter(from)}::date and ${this.parameter(to)}::date`)
      .join(' or ');
    this.filters = this.used
      .filter((name) => filter[name] !== undefined)
      .map((name) => ` and ${COLUMNS[name]} = ${this.parameter(filter[name])}${name === 'key' ? '::uuid' : '::text'}`)
      .join('');
    this.wanted = `span as (
  select min(day) as first, max(day) as last from cost_daily
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) as closed
    from (select first + n as day from span, generate_series(0, last - first) n) d where ${this.days}
)`;
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** @param among the parameter of an array of values to which the rows are limited */
  rows(columns: readonly string[], among?: string): string {
    const chosen =
      among === undefined || this.dimension === null
        ? ''
        : ` and ${COLUMNS[this.dimension]} = any(${among}${this.dimension === 'key' ? '::uuid[]' : '::text[]'})`;
    if (this.used.length > 1) return this.summed(columns, `(${this.days})${chosen}`);
    const [name = 'all'] = this.used;
    const only = this.filter[name as Dimension];
    const kept = [
      ...['day = wanted.day', `dimension = '${name}'`],
      ...(only === undefined ? [] : [`value = ${this.parameter(only)}::text`]),
      ...(chosen === '' ? [] : [`value = any(${among}::text[])`]),
    ].join(' and ');
    const listed = columns.join(', ');
    return `
    select wanted.day, ${this.dimension === null ? `''` : 'value'} as value, ${listed}
      from wanted cross join lateral (select value, ${listed} from cost_day_sums where ${kept} offset 0) s where closed
    union all
    select r.day, value, ${listed}
      from wanted cross join lateral (${this.summed(columns, `day = wanted.day${chosen}`)} offset 0) r where not closed`;
  }

  private summed(columns: readonly string[], where: string): string {
    const value = this.dimension === null ? `''` : `${COLUMNS[this.dimension]}::text`;
    return `select day, ${value} as value, ${rowSumsOf(columns)} from cost_daily where ${where}${this.filters} group by 1, 2`;
  }
}

function rowSumsOf(columns: readonly string[]): string {
  const summed = (name: string) =>
    name === 'backfilled_requests' ? 'case when backfilled then requests else 0 end' : name;
  return columns.map((name) => `sum(${summed(name)})::bigint as ${name}`).join(', ');
}
