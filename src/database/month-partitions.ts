const TABLE = /^[a-z][a-z_]{0,50}$/;

/** Runs one statement, on whichever connection the caller has: inside his transaction, or in one of its own. */
export type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/**
 * Makes the monthly partitions of a table that is `partition by range (created_at)`, months being those of UTC.
 * Those that are there are left alone, and two processes may do it at once: one waits for the other.
 * A partition is made as a table of its own and then attached, since `partition of` waits behind every open reader.
 * @param table name of the partitioned table: a constant of the program, never input
 * @param from any moment of the first month
 * @param months how many, that one included
 */
export async function ensureMonthPartitions(query: Query, table: string, from: Date, months: number): Promise<void> {
  if (!TABLE.test(table)) throw new Error(`not a table's name: ${table}`);
  const first = `${monthOf(from)}-01`;
  // One statement, so one transaction, whether or not `query` keeps to one connection. A DO block takes no parameters.
  await query(`
    do $$
    declare
      first date;
      name text;
    begin
      perform pg_advisory_xact_lock(hashtextextended('month-partitions:${table}', 0));
      for i in 0..${Math.trunc(months) - 1} loop
        first := date '${first}' + make_interval(months => i);
        name := '${table}_' || to_char(first, 'YYYY_MM');
        continue when to_regclass(name) is not null;
        execute format('create table %I (like ${table} including all)', name);
        execute format('alter table ${table} attach partition %I for values from (%L) to (%L)', name,
          to_char(first, 'YYYY-MM-DD "00:00:00+00"'), to_char(first + interval '1 month', 'YYYY-MM-DD "00:00:00+00"'));
      end loop;
    end $$`);
}

/** `2026-07`. */
function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
