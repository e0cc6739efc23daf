import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOTALS = 'requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens';

/** Blocks of busy keys and models, split by what else a statistic can be of (ADR 0015). Each goes with its block. */
export class StatsRollupSplits1790000014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // With what a ranking adds up: of 30 days and 2,000 keys it reads 300 pages of the index instead of 2,300 full of histograms.
    await this.primaryKey(runner, `INCLUDE (${TOTALS})`);
    // The index tells alone what vacuum has seen. A day brings some 30,000 rows where 2,000 keys are busy; without this the
    // server waits for a fifth of the table, which may be half a month.
    await runner.query(`
      ALTER TABLE stats_rollup SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000)`);
    // What a block has, of one value of what it is split by.
    await runner.query(`
      CREATE TYPE stats_part AS (
        value text COLLATE "C", requests integer, client_errors integer, server_errors integer,
        latency_sum bigint, latency_max integer, input_tokens bigint, output_tokens bigint,
        buckets smallint[], counts integer[]
      )`);
    // The parts of a block are one value: of a year there would be millions of rows, most of them a key and an index entry.
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
    // By it the job finds blocks that are to be split, also those that the release before has made.
    await runner.query(`
      CREATE INDEX stats_rollup_busy ON stats_rollup (start) WHERE requests >= 1000 AND dimension <> 'endpoint'`);
    // The primary key leads with the same column: where both were, blocks were read by this one, of all lengths and dimensions.
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
