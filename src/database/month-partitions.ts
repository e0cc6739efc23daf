const TABLE = /^[a-z][a-z_]{0,50}$/;
/** On a table that is being taken away: what an operator has detached to keep it is left alone. */
const GOING = 'on its way out';

/**
 * Kept ready where rows come in all the time: the month under way and two after it, so that a month without a job is no month
 * without a place.
 */
export const MONTHS_READY = 3;

/**
 * Totals of lists over partitioned logs are exact up to this number, and their pages end there (D17): counting further would
 * read the whole log. A statement counts one row more, which stands for any greater number.
 */
export const COUNTED_MAX = 100_000;

const THIS_MONTH = `date_trunc('month', clock_timestamp() at time zone 'UTC')`;

/** Runs one statement, on whichever connection the caller has: inside his transaction, or in one of its own. */
type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/**
 * Makes the monthly partitions of a table that is `partition by range (created_at)`, months being those of UTC.
 * Those that are there are left alone, and two processes may do it at once: one waits for the other.
 * A partition is made as a table of its own and then attached, since `partition of` waits behind every open reader.
 * @param table name of the partitioned table: a constant of the program, never input
 * @param from any moment of the first month; 'now': by the database's clock, by which rows that it dates itself come in
 * @param months how many, that one included
 */
export async function ensureMonthPartitions(
  query: Query,
  table: string,
  from: Date | 'now',
  months: number,
): Promise<void> {
  refuseOther(table);
  const first = from === 'now' ? THIS_MONTH : `date '${monthOf(from)}-01'`;
  // One statement, so one transaction, whether or not `query` keeps to one connection. A DO block takes no parameters.
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

/** A month of a partitioned table. */
export interface MonthPartition {
  readonly name: string;
  readonly from: Date;
  /** The first moment after it. */
  readonly until: Date;
  /** The last two: what a removal left that was interrupted. */
  readonly state: 'attached' | 'detaching' | 'detached';
}

/** The oldest first; those that `ensureMonthPartitions` made, by their names. */
export async function monthPartitionsOf(query: Query, table: string): Promise<MonthPartition[]> {
  refuseOther(table);
  const rows = (await query(`
    select c.relname as name,
           case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
      from pg_class p
      join pg_class c on c.relnamespace = p.relnamespace and c.relkind = 'r' and c.relname ~ '^${table}_[0-9]{4}_(0[1-9]|1[0-2])$'
      left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = p.oid
     where p.oid = '${table}'::regclass
       and (i.inhrelid is not null or obj_description(c.oid, 'pg_class') = '${GOING}')
     order by c.relname`)) as Pick<MonthPartition, 'name' | 'state'>[];
  return rows.map(({ name, state }) => {
    const [year, month] = name.slice(-'YYYY_MM'.length).split('_').map(Number) as [number, number];
    return { name, state, from: new Date(Date.UTC(year, month - 1)), until: new Date(Date.UTC(year, month)) };
  });
}

/**
 * Takes a month away for good. Detaching waits for whoever is reading the table at that moment, and nobody waits for it.
 * An interrupted removal is finished by the next call.
 * @param query on one connection and in no transaction; a time limit on its statements leaves the month as `detaching`
 */
export async function dropMonthPartition(query: Query, table: string, { name, state }: MonthPartition): Promise<void> {
  refuseOther(table);
  refuseOther(name.slice(0, -'_YYYY_MM'.length));
  if (state === 'attached') await query(`comment on table ${name} is '${GOING}'`);
  if (state === 'attached') await query(`alter table ${table} detach partition ${name} concurrently`);
  if (state === 'detaching') await query(`alter table ${table} detach partition ${name} finalize`);
  await query(`drop table ${name}`);
}

function refuseOther(table: string): void {
  if (!TABLE.test(table)) throw new Error(`not a table's name: ${table}`);
}

/** `2026-07`. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
