import type { Client } from 'pg';
import type { DataSource } from 'typeorm';

/** In front of PostgreSQL's own in the search path, so that the statements of production read the instant of a test. */
const SCHEMA = `
  create schema test_clock;
  create table test_clock.instant (at timestamptz);
  insert into test_clock.instant values (null);
  create function test_clock.clock_timestamp() returns timestamptz volatile language sql
    as 'select coalesce((select at from test_clock.instant), pg_catalog.clock_timestamp())'`;
/** Tables are made in the first. */
const SEARCH_PATH = 'public, test_clock, pg_catalog';

type Query = (sql: string, parameters?: unknown[]) => Promise<unknown>;

/** The clock of a database, as every connection made from now on reads it. */
export class DatabaseClock {
  private constructor(private readonly query: Query) {}

  static async install(query: Query): Promise<DatabaseClock> {
    await query(SCHEMA);
    await query(
      `do $$ begin execute format('alter database %I set search_path = ${SEARCH_PATH}', current_database()); end $$`,
    );
    return new DatabaseClock(query);
  }

  /** With connections of its own made anew. */
  static async under(source: DataSource): Promise<DatabaseClock> {
    const clock = await DatabaseClock.install((sql, parameters) => source.query(sql, parameters));
    await source.destroy();
    await source.initialize();
    return clock;
  }

  /** For a connection that was there before. */
  static async readOn(client: Client): Promise<void> {
    await client.query(`set search_path = ${SEARCH_PATH}`);
  }

  /** null: the real time again. */
  async put(ms: number | null): Promise<void> {
    await this.query('update test_clock.instant set at = to_timestamp($1::float8 / 1000)', [ms]);
  }
}
