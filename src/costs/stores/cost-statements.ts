import type { Days } from '../days.rules.js';
import {
  type CostFilter,
  type CostQuery,
  type CostSort,
  type Dimension,
  dimensionOf,
  isByDay,
  STORED_DIMENSIONS,
  type StoredDimension,
  type ValueQuery,
} from '../report/cost-query.js';
import { COUNTED_KINDS } from '../usage-kinds.data.js';

/** The columns of `cost_day_sums`. */
export const SUM_COLUMNS: readonly string[] = [
  'requests',
  'unpriced_requests',
  'estimated_requests',
  'backfilled_requests',
  'cost_nanos',
  ...COUNTED_KINDS,
];

/** Sums of rows of `cost_daily`. They are bigint, because numeric would be three times as slow. */
export const ROW_SUMS = rowSumsOf(SUM_COLUMNS);

const SUMS = SUM_COLUMNS.map((name) => `sum(${name}) as ${name}`).join(', ');

/** IDs of keys. Costs are stored by key, so those of a team are the costs of its current keys. @param team the parameter of its ID */
export const keysOfTeam = (team: string): string => `select k.id from api_keys k where k.team_id = ${team}::uuid`;

/** Keys that have the tag, or whose team has it. @param tag the parameter of the tag */
export const keysWithTag = (tag: string): string =>
  `select k.id from api_keys k left join teams t on t.id = k.team_id where array[${tag}::text] <@ k.tags or array[${tag}::text] <@ t.tags`;

export type Statement = [sql: string, values: unknown[]];

type Ranges = readonly [Days, Days];

/** @param ranges a day in both counts once */
export function daysStatement(filter: CostFilter, ranges: Ranges): Statement {
  const source = new CostSource(filter, null, ranges, true);
  return [
    `with ${source.wanted} select day::text, ${SUMS} from (${source.rows(SUM_COLUMNS)}) rows group by day order by day`,
    source.values,
  ];
}

const NAMED: Readonly<Partial<Record<Dimension, string>>> = {
  key: 'k.name as name from groups g left join api_keys k on k.id = g.value::uuid',
  team: `t.name as name from groups g left join teams t on t.id = nullif(g.value, '')::uuid`,
};

const ORDERS: Readonly<Record<CostSort, string>> = {
  cost: 'cost_nanos desc, value',
  requests: 'requests desc, value',
  name: `lower(name) collate "C" nulls last, value`,
};

/**
 * A page of values in their order. It returns at least one row, so that an empty page has the total number of values too. Only keys
 * and teams have names.
 */
export function rankingStatement({ filter, dimension, days, sort, limit, offset }: ValueQuery): Statement {
  const source = new CostSource(filter, dimension, [days, days], false);
  return [
    `with ${source.wanted}, groups as materialized (
  select value, sum(cost_nanos) as cost_nanos, sum(requests) as requests
    from (${source.rows(['cost_nanos', 'requests'])}) rows group by value
), named as (
  select g.*, ${NAMED[dimension] ?? 'null::text as name from groups g'}
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
  { filter, dimension, days, grouping }: ValueQuery,
  among: readonly string[],
  rowsMax: number,
): Statement {
  const stacked = isByDay(grouping);
  const source = new CostSource(filter, dimension, [days, days], stacked);
  const rows = source.rows(SUM_COLUMNS, source.parameter(among));
  const [day, by] = stacked ? ['day::text', 'day, value'] : ['null::text', 'value'];
  return [
    `with ${source.wanted} select ${day} as day, value, ${SUMS} from (${rows}) rows group by ${by} order by ${by} limit ${source.parameter(rowsMax)}`,
    source.values,
  ];
}

/**
 * Estimates the rows that a report reads. Null if sums of months and days have its dimensions, or if an index has its rows, so that it
 * is fast with any range.
 */
export function rowsReadStatement({ filter, days, grouping }: CostQuery): Statement | null {
  const dimension = dimensionOf(grouping);
  const sourceOf = (value: Dimension | null, byDay: boolean) => new CostSource(filter, value, [days, days], byDay);
  const [totals, ranking, values] = [
    sourceOf(null, true),
    sourceOf(dimension, false),
    sourceOf(dimension, isByDay(grouping)),
  ];
  const readsAllRows =
    totals.readsAllRows ||
    (dimension !== null && ranking.readsAllRows) ||
    (values.readsAllRows && values.stored !== 'key');
  return readsAllRows ? [ROWS_READ, [days.from, days.to]] : null;
}

// The statistics of the planner have the number of rows, and days have about the same number.
const ROWS_READ = `
select (greatest(c.reltuples, 0) * greatest(0, least($2::date, last) - greatest($1::date, first) + 1) / (last - first + 1))::float8 as rows
  from pg_class c, (select min(day) as first, max(day) as last from cost_daily) span
 where c.oid = 'cost_daily'::regclass`;

/** The team of the row's key. */
const TEAM = `coalesce(k.team_id::text, '')`;

const COLUMNS: Readonly<Record<StoredDimension, string>> = {
  key: 'key_id',
  model: 'model',
  endpoint: 'endpoint',
  provider: 'provider',
};

/**
 * Rows of day, value and sums. Closed months are read from their sums, if rows need no day and these sums have the dimensions. So are
 * other closed days. All others are summed from `cost_daily`. The lateral joins look up each day in the index, because plain joins
 * would read all days.
 */
class CostSource {
  readonly values: unknown[] = [];
  /** The expression of days that `rows` needs. */
  readonly wanted: string;
  private readonly days: string;
  /** Rows of teams are made of those of keys. */
  readonly stored: StoredDimension | null;
  private readonly used: readonly StoredDimension[];
  /** Queries of the keys of a team and of a tag. */
  private readonly keySets: readonly string[];
  private readonly filters: string;
  /** The dimension by which sums of months are filtered. Null if sums of months are not used. */
  private readonly filtered: StoredDimension | 'all' | null;

  /**
   * @param dimension null for one value per day
   * @param byDay whether rows need a day; otherwise it is null for months
   */
  constructor(
    private readonly filter: CostFilter,
    private readonly dimension: Dimension | null,
    ranges: Ranges,
    byDay: boolean,
  ) {
    this.stored = dimension === 'team' ? 'key' : dimension;
    this.keySets = [
      ...(filter.team === undefined ? [] : [keysOfTeam(this.parameter(filter.team))]),
      ...(filter.tag === undefined ? [] : [keysWithTag(this.parameter(filter.tag))]),
    ];
    this.used = STORED_DIMENSIONS.filter(
      (name) => name === this.stored || filter[name] !== undefined || (name === 'key' && this.keySets.length > 0),
    );
    this.days = ranges
      .map(({ from, to }) => `day between ${this.parameter(from)}::date and ${this.parameter(to)}::date`)
      .join(' or ');
    this.filters = [
      ...this.used
        .filter((name) => filter[name] !== undefined)
        .map(
          (name) => ` and ${COLUMNS[name]} = ${this.parameter(filter[name])}${name === 'key' ? '::uuid' : '::text'}`,
        ),
      ...this.keySets.map((keys) => ` and key_id in (${keys})`),
    ].join('');
    this.filtered = byDay ? null : this.monthsFilter();
    this.wanted = `span as (
  select min(day) as first, max(day) as last from cost_daily
), months as materialized (
  select month from cost_months where ${this.filtered === null ? 'false' : this.monthsWithin(ranges[0])}
), wanted as materialized (
  select day, exists (select from cost_days c where c.day = d.day) as closed
    from (select first + n as day from span, generate_series(0, last - first) n) d
   where (${this.days}) and not exists (select from months where month = date_trunc('month', day))
)`;
  }

  /** Sums do not have its dimensions, and it is not limited to keys, whose rows have an index. */
  get readsAllRows(): boolean {
    const ofKeys = this.filter.key !== undefined || this.keySets.length > 0;
    return this.used.length > 1 && this.filtered === null && !ofKeys;
  }

  private monthsWithin({ from, to }: Days): string {
    return `month >= ${this.parameter(from)}::date and (month + interval '1 month')::date <= ${this.parameter(to)}::date + 1`;
  }

  /** Sums of months are filtered by at most one dimension, which is not the key. Rows of keys have an index. */
  private monthsFilter(): StoredDimension | 'all' | null {
    const others = this.used.filter((name) => name !== this.stored);
    const [filtered = 'all'] = others;
    return this.stored === null || others.length > 1 || filtered === 'key' ? null : filtered;
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** @param among the parameter of an array of values to which the rows are limited */
  rows(columns: readonly string[], among?: string): string {
    if (this.dimension !== 'team') return this.storedRows(columns, among);
    const chosen = among === undefined ? '' : ` where ${TEAM} = any(${among}::text[])`;
    return `
  select r.day, ${TEAM} as value, ${columns.map((name) => `r.${name}`).join(', ')}
    from (${this.storedRows(columns)}) r left join api_keys k on k.id = r.value::uuid${chosen}`;
  }

  private storedRows(columns: readonly string[], among?: string): string {
    const chosen =
      among === undefined || this.stored === null
        ? ''
        : ` and ${COLUMNS[this.stored]} = any(${among}${this.stored === 'key' ? '::uuid[]' : '::text[]'})`;
    if (this.filtered === null && this.used.length > 1) return this.summed(columns, `(${this.days})${chosen}`);
    const months = this.filtered === null ? '' : `${this.monthRows(this.filtered, columns, among)} union all`;
    const open = `
    select r.day, value, ${columns.join(', ')}
      from wanted cross join lateral (${this.summed(columns, `day = wanted.day${chosen}`)} offset 0) r`;
    if (this.used.length > 1) return `${months}${open}`;
    return `${months}${this.closedRows(columns, among)} union all${open} where not closed`;
  }

  private monthRows(filtered: StoredDimension | 'all', columns: readonly string[], among?: string): string {
    const only = this.filter[filtered as StoredDimension] ?? '';
    const kept = [
      'month = months.month',
      `filtered = '${filtered}'`,
      `value = ${this.parameter(only)}::text`,
      `grouped = '${this.stored}'`,
      ...this.chosenValues('other', this.stored, among),
    ].join(' and ');
    const listed = columns.join(', ');
    return `
    select null::date as day, other as value, ${listed}
      from months cross join lateral (select other, ${listed} from cost_month_sums where ${kept} offset 0) s`;
  }

  private closedRows(columns: readonly string[], among?: string): string {
    const [name = null] = this.used;
    const chosen = this.chosenValues('value', name, among);
    const kept = ['day = wanted.day', `dimension = '${name ?? 'all'}'`, ...chosen].join(' and ');
    const listed = columns.join(', ');
    return `
    select wanted.day, ${this.stored === null ? `''` : 'value'} as value, ${listed}
      from wanted cross join lateral (select value, ${listed} from cost_day_sums where ${kept} offset 0) s where closed`;
  }

  /** Conditions on a column with the values of `name`. */
  private chosenValues(column: string, name: StoredDimension | null, among?: string): string[] {
    const only = name === null ? undefined : this.filter[name];
    return [
      ...(only === undefined ? [] : [`${column} = ${this.parameter(only)}::text`]),
      ...(name === 'key' ? this.keySets.map((keys) => `${column} in (select s.id::text from (${keys}) s)`) : []),
      ...(among === undefined ? [] : [`${column} = any(${among}::text[])`]),
    ];
  }

  private summed(columns: readonly string[], where: string): string {
    const value = this.stored === null ? `''` : `${COLUMNS[this.stored]}::text`;
    return `select day, ${value} as value, ${rowSumsOf(columns)} from cost_daily where ${where}${this.filters} group by 1, 2`;
  }
}

function rowSumsOf(columns: readonly string[]): string {
  const summed = (name: string) =>
    name === 'backfilled_requests' ? 'case when backfilled then requests else 0 end' : name;
  return columns.map((name) => `sum(${summed(name)})::bigint as ${name}`).join(', ');
}
