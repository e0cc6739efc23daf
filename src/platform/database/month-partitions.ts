const TABLE = /^[a-z][a-z_]{0,50}$/;
/** The comment on a partition that is being removed. Partitions that an operator has detached lack it and are kept. */
const REMOVAL_MARK = 'on its way out';

/** The current month and the next two, so that rows find a partition even if the job fails for a month. */
export const MONTHS_READY = 3;

const THIS_MONTH = `date_trunc('month', clock_timestamp() at time zone 'UTC')`;

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/**
 * Creates the missing monthly partitions (UTC) of a table that is `partition by range (created_at)`. Concurrent calls wait for
 * each other. A partition is created as a separate table and then attached, because `partition of` waits for all open readers.
 * @param table name of the partitioned table: a constant, never user input
 * @param from any time in the first month; 'now' means the database's clock, which also dates new rows
 * @param months number of months, including the first
 */
export async function ensureMonthPartitions(
  query: Query,
  table: string,
  from: Date | 'now',
  months: number,
): Promise<void> {
  assertTableName(table);
  const first = from === 'now' ? THIS_MONTH : `date '${monthOf(from)}-01'`;
  // One statement is one transaction, even if `query` uses a pool. A DO block takes no parameters.
  await query(`
    do $$
    declare
      first date;
      name text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('month-partitions:${table}', 0));
      for i in 0..${Math.trunc(months) - 1} loop
        first := ${first} + make_interval(months => i);
        name := '${table}_' || to_char(first, 'YYYY_MM');
        continue when to_regclass(name) is not null;
        execute format('create table %I (like ${table} including all)', name);
        execute format('alter table ${table} attach partition %I for values from (%L) to (%L)', name,
          to_char(first, 'YYYY-MM-DD "00:00:00+00"'), to_char(first + interval '1 month', 'YYYY-MM-DD "00:00:00+00"'));
      end loop;
    end $$`);
}

export interface MonthPartition {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
  /** `detaching` and `detached` are left by an interrupted removal. */
  readonly state: 'attached' | 'detaching' | 'detached';
}

export async function monthPartitionsOf(query: Query, table: string): Promise<MonthPartition[]> {
  assertTableName(table);
  const rows = (await query(`
    select c.relname as name,
           case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
      from pg_class p
      join pg_class c on c.relnamespace = p.relnamespace and c.relkind = 'r' and c.relname ~ '^${table}_[0-9]{4}_(0[1-9]|1[0-2])$'
      left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = p.oid
     where p.oid = '${table}'::regclass
       and (i.inhrelid is not null or obj_description(c.oid, 'pg_class') = '${REMOVAL_MARK}')
     order by c.relname`)) as Pick<MonthPartition, 'name' | 'state'>[];
  return rows.map(({ name, state }) => {
    const [year, month] = name.slice(-'YYYY_MM'.length).split('_').map(Number) as [number, number];
    return { name, state, from: new Date(Date.UTC(year, month - 1)), until: new Date(Date.UTC(year, month)) };
  });
}

/**
 * Removes a partition permanently. Detaching waits for current readers of the table without blocking others. The next call
 * finishes an interrupted removal.
 * @param query uses one connection, outside a transaction; a statement timeout leaves the partition `detaching`
 */
export async function dropMonthPartition(query: Query, table: string, { name, state }: MonthPartition): Promise<void> {
  assertTableName(table);
  assertTableName(name.slice(0, -'_YYYY_MM'.length));
  if (state === 'attached') await query(`comment on table ${name} is '${REMOVAL_MARK}'`);
  if (state === 'attached') await query(`alter table ${table} detach partition ${name} concurrently`);
  if (state === 'detaching') await query(`alter table ${table} detach partition ${name} finalize`);
  await query(`drop table ${name}`);
}

function assertTableName(table: string): void {
  if (!TABLE.test(table)) throw new Error(`invalid table name: ${table}`);
}

function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
