import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rollups of closed hours of the sample, over 1, 4, 16, 64, and 256 hours (D15). Also the state that keeps them exact: how far they
 * reach, and which of their hours received rows later.
 */
export class StatsRollup1790000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Wide columns come first to avoid padding. Byte-order collation is enough, because values are only compared for equality.
    // Only rollups of keys have models and model_counts. The primary key starts with the time, by which old rollups are deleted.
    // Readers always specify the whole primary key.
    await runner.query(`
      CREATE TABLE stats_rollup (
        start timestamp with time zone NOT NULL,
        latency_sum bigint NOT NULL,
        input_tokens bigint NOT NULL,
        output_tokens bigint NOT NULL,
        requests integer NOT NULL,
        client_errors integer NOT NULL,
        server_errors integer NOT NULL,
        latency_max integer NOT NULL,
        hours smallint NOT NULL,
        dimension text COLLATE "C" NOT NULL CONSTRAINT stats_rollup_dimension CHECK (dimension IN ('key', 'model', 'endpoint')),
        value text COLLATE "C" NOT NULL,
        buckets smallint[] NOT NULL,
        counts integer[] NOT NULL,
        models text[],
        model_counts integer[],
        PRIMARY KEY (start, hours, dimension, value)
      )`);

    // One row. Hours before rolled_until have rollups. Hours before closed_until get them next, and new rows in them count as late.
    // Rollups of less than 16 hours exist from fine_from on.
    await runner.query(`
      CREATE TABLE stats_rollup_state (
        id smallint PRIMARY KEY CONSTRAINT stats_rollup_state_one CHECK (id = 1),
        closed_until timestamp with time zone,
        rolled_from timestamp with time zone,
        rolled_until timestamp with time zone,
        fine_from timestamp with time zone
      )`);
    await runner.query('INSERT INTO stats_rollup_state (id) VALUES (1)');
    await this.histogram(runner);
    await this.lateHours(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER request_logs_late ON request_logs');
    await runner.query('DROP FUNCTION request_logs_late');
    await runner.query('DROP TABLE stats_late_hours');
    await runner.query('DROP FUNCTION stats_bucket_ms');
    await runner.query('DROP FUNCTION stats_bucket');
    await runner.query('DROP TABLE stats_rollup_state');
    await runner.query('DROP TABLE stats_rollup');
  }

  /** Latency buckets by powers of 1.02. A bucket covers whole milliseconds, and its value is off by at most 1%. */
  private async histogram(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION stats_bucket(ms integer) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT (CASE WHEN ms < 1 THEN -1 ELSE ceil(ln(ms::float8) / ln(1.02::float8)) END)::smallint
      $$`);
    await runner.query(`
      CREATE FUNCTION stats_bucket_ms(bucket smallint) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN bucket < 0 THEN 0
                    ELSE 2 * (floor(power(1.02::float8, bucket - 1)) + 1) * floor(power(1.02::float8, bucket))
                         / (floor(power(1.02::float8, bucket - 1)) + 1 + floor(power(1.02::float8, bucket))) END
      $$`);
  }

  /**
   * Late rows mark their hour for a new rollup. A trigger does this in the transaction of the rows, also for the previous release.
   * The mark is not unique, so marking an hour never waits for clearing it.
   */
  private async lateHours(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE stats_late_hours (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        hour timestamp with time zone NOT NULL
      )`);
    await runner.query('CREATE INDEX stats_late_hours_hour ON stats_late_hours (hour)');
    await runner.query(`
      CREATE FUNCTION request_logs_late() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO stats_late_hours (hour)
        SELECT DISTINCT date_trunc('hour', created_at, 'UTC') FROM inserted
         WHERE created_at < (SELECT closed_until FROM stats_rollup_state);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER request_logs_late AFTER INSERT ON request_logs
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION request_logs_late()`);
  }
}
