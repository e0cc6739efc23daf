import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters: one row per key, created with the key. It contains the key's version and its minute, day, and month counts. The row lock
 * orders admissions and admin changes, so a trigger raises the version in the admin's transaction.
 */
export class Quota1790000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // minute and day: since 1970; month: year * 12 + month - 1. Half of each page stays free, so that updates stay on the page.
    await runner.query(`
      CREATE TABLE key_quota (
        key_id uuid PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
        version bigint NOT NULL,
        minute integer NOT NULL DEFAULT 0, minute_count integer NOT NULL DEFAULT 0,
        day integer NOT NULL DEFAULT 0, day_count integer NOT NULL DEFAULT 0,
        month integer NOT NULL DEFAULT 0, month_count bigint NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)`);
    // For the poll of changed keys. Counting never changes the version, so it does not write to this index.
    await runner.query('CREATE INDEX key_quota_version ON key_quota (version)');

    // Each process start adds two rows, for admission and for the usage recorder. They make each batch count exactly once, even if
    // its response is lost. short_*: keys of the last batch that were admitted only in part.
    await runner.query(`
      CREATE TABLE quota_writer (
        writer_id uuid PRIMARY KEY,
        batch bigint NOT NULL,
        short_keys uuid[], short_granted integer[],
        at timestamp with time zone NOT NULL DEFAULT now()
      ) WITH (fillfactor = 50)`);

    await runner.query(`
      CREATE TABLE usage_monthly (
        key_id uuid, month integer,
        requests bigint NOT NULL DEFAULT 0, input_tokens bigint NOT NULL DEFAULT 0, output_tokens bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (key_id, month)
      ) WITH (fillfactor = 70)`);

    // The version is a time in microseconds, so a version lost in a failover is never reused for other contents.
    await runner.query(`
      CREATE FUNCTION key_version() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE v bigint := (date_part('epoch', clock_timestamp()) * 1e6)::bigint;
      BEGIN
        IF tg_op = 'INSERT' THEN INSERT INTO key_quota (key_id, version) VALUES (new.id, v);
        ELSE UPDATE key_quota SET version = greatest(version + 1, v) WHERE key_id = new.id;
        END IF;
        PERFORM pg_notify('gw_key', new.id::text);
        RETURN NULL;
      END $$`);
    await runner.query('CREATE TRIGGER key_born AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION key_version()');
    await runner.query(`
      CREATE TRIGGER key_changed AFTER UPDATE OF key_hash, name, status, rpm_limit, rpd_limit, monthly_limit,
        monthly_token_limit, allowed_models, expires_at ON api_keys FOR EACH ROW EXECUTE FUNCTION key_version()`);
    // After the triggers, which lock api_keys, so no key can be created without its row in between.
    await runner.query(`
      INSERT INTO key_quota (key_id, version)
      SELECT id, (date_part('epoch', clock_timestamp()) * 1e6)::bigint FROM api_keys`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER key_changed ON api_keys');
    await runner.query('DROP TRIGGER key_born ON api_keys');
    await runner.query('DROP FUNCTION key_version()');
    await runner.query('DROP TABLE usage_monthly');
    await runner.query('DROP TABLE quota_writer');
    await runner.query('DROP TABLE key_quota');
  }
}
