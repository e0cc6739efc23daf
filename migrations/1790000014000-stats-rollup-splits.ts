import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOTALS = 'requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens';

/** Rollups of busy keys and models, split by a second dimension (ADR 0015). Each is deleted with its rollup. */
export class StatsRollupSplits1790000014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Contains the sums of a ranking. For 30 days and 2,000 keys, a ranking reads 300 index pages instead of 2,300 table pages.
    await this.primaryKey(runner, `INCLUDE (${TOTALS})`);
    // Index-only scans need recently vacuumed pages. With 2,000 busy keys, a day adds about 30,000 rows. By default, autovacuum waits
    // for a fifth of the table, which can be half a month.
    await runner.query(`
      ALTER TABLE stats_rollup SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000)`);
    await runner.query(`
      CREATE TYPE stats_part AS (
        value text COLLATE "C", requests integer, client_errors integer, server_errors integer,
        latency_sum bigint, latency_max integer, input_tokens bigint, output_tokens bigint,
        buckets smallint[], counts integer[]
      )`);
    // All parts of a rollup are one value. Separate rows would be millions per year, mostly consisting of a key and an index entry.
    await runner.query(`
      CREATE TABLE stats_rollup_splits (
        start timestamp with time zone NOT NULL,
        hours smallint NOT NULL,
        dimension text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        split_by text COLLATE "C" NOT NULL
          CONSTRAINT stats_rollup_splits_by CHECK (split_by IN ('key', 'model', 'endpoint') AND split_by <> dimension),
        parts stats_part[] NOT NULL,
        PRIMARY KEY (start, hours, dimension, value, split_by),
        FOREIGN KEY (start, hours, dimension, value)
          REFERENCES stats_rollup (start, hours, dimension, value) ON DELETE CASCADE
      )`);
    // Finds rollups that must be split, including those of the previous release.
    await runner.query(`
      CREATE INDEX stats_rollup_busy ON stats_rollup (start) WHERE requests >= 1000 AND dimension <> 'endpoint'`);
    // The primary key starts with the same column. The planner used this index instead, and read rollups of all lengths and dimensions.
    await runner.query('DROP INDEX stats_rollup_by_age');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX stats_rollup_by_age ON stats_rollup (start)');
    await runner.query('DROP INDEX stats_rollup_busy');
    await runner.query('DROP TABLE stats_rollup_splits');
    await runner.query('DROP TYPE stats_part');
    await runner.query(`
      ALTER TABLE stats_rollup RESET (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_insert_threshold)`);
    await this.primaryKey(runner, '');
  }

  private async primaryKey(runner: QueryRunner, including: string): Promise<void> {
    await runner.query(`
      ALTER TABLE stats_rollup
        DROP CONSTRAINT stats_rollup_pkey,
        ADD CONSTRAINT stats_rollup_pkey PRIMARY KEY (start, hours, dimension, value) ${including}`);
  }
}
