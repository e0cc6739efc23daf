import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Closed hours of the sample summed up, in blocks of 1, 4, 16, 64 and 256 hours (D15), and what keeps them exact: how far
 * they reach, and which of their hours have got rows since.
 */
export class StatsRollup1790000009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Wide columns first: they leave no gaps. Bytewise collation: values are compared, never read in a language.
    // models and model_counts: of keys only. The key leads with the time, by which old blocks go; who reads names all of it.
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

    // One row. Hours before rolled_until are summed up; those before closed_until are about to be, and their rows are late.
    // Blocks of less than 16 hours are there from fine_from on.
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

  /** Latencies by powers of 1.02. A bucket holds whole milliseconds, and stands for what is nearest to all of them: 1 % off at most. */
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
   * Rows of an hour that is summed up already mark it. By a trigger, so that the mark is one transaction with the rows,
   * also with the release before. Not unique: who marks an hour never waits for who clears it.
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
