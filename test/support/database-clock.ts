import type { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** This schema precedes `pg_catalog` in the search path, so that production statements read the time of the test. */
const SCHEMA = `
  create schema test_clock;
  create table test_clock.instant (at timestamptz);
  insert into test_clock.instant values (null);
  create function test_clock.clock_timestamp() returns timestamptz volatile language sql
    as 'select coalesce((select at from test_clock.instant), pg_catalog.clock_timestamp())'`;
/** New tables are created in the first schema. */
const SEARCH_PATH = 'public, test_clock, pg_catalog';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The clock of a database. It applies to all connections that are opened after `install`. */
export class DatabaseClock {
  private constructor(private readonly query: Query) {}

  static async install(query: Query): Promise<DatabaseClock> {
    await query(SCHEMA);
    await query(
      `do $$ begin execute format('alter database %I set search_path = ${SEARCH_PATH}', current_database()); end $$`,
    );
    return new DatabaseClock(query);
  }

  /** Installs a clock and reopens the connections of `source`, so that they use it. */
  static async under(source: DataSource): Promise<DatabaseClock> {
    const clock = await DatabaseClock.install((sql, parameters) => source.query(sql, parameters));
    await source.destroy();
    await source.initialize();
    return clock;
  }

  /** Makes a connection that was opened before `install` use the clock. */
  static async readOn(client: Client): Promise<void> {
    await client.query(`set search_path = ${SEARCH_PATH}`);
  }

  /** @param ms milliseconds since 1970; null restores the real time */
  async put(ms: number | null): Promise<void> {
    await this.query('update test_clock.instant set at = to_timestamp($1::float8 / 1000)', [ms]);
  }
}
