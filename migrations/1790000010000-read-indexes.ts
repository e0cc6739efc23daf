import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOCK_USAGE = 'LOCK TABLE usage_monthly, usage_daily IN SHARE ROW EXCLUSIVE MODE';

/** What a closed day has of a key, or of a model: sums of `usage_daily`. */
const SUMS = `
  requests bigint NOT NULL, errors bigint NOT NULL,
  input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, estimated_tokens bigint NOT NULL`;

/**
 * What usage and the audit log are read from (D17): closed days summed by key and by model; months that know their errors and
 * estimates, since they are kept longer than days; audit indexes that hold a list's order and its other filters.
 * Recording waits while it runs, in memory, and changes by admins wait for the audit indexes; admission waits only for the end.
 */
export class ReadIndexes1790000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In the order in which recording takes them. Who reads goes on.
    await runner.query(LOCK_USAGE);
    await runner.query('CREATE INDEX usage_daily_day ON usage_daily (day)');
    await addClosedDays(runner);
    await sumMonths(runner);
    await replaceAuditIndexes(runner, {
      target: 'target_id, created_at, id) INCLUDE (action, actor_type',
      action: 'action, created_at, id) INCLUDE (actor_type',
      actor_type: 'actor_type, created_at, id',
    });
    // Last, since it locks out admission, which reads the table. What the release before adds to a row leaves both columns alone.
    await runner.query(`
      ALTER TABLE usage_monthly ADD COLUMN errors bigint NOT NULL DEFAULT 0,
                                ADD COLUMN estimated_tokens bigint NOT NULL DEFAULT 0`);
    await runner.query(`
      UPDATE usage_monthly m SET errors = s.errors, estimated_tokens = s.estimated_tokens
        FROM usage_month_sums s WHERE s.key_id = m.key_id AND s.month = m.month`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK_USAGE);
    for (const did of ['inserted', 'updated', 'deleted'])
      await runner.query(`DROP TRIGGER usage_daily_${did} ON usage_daily`);
    await runner.query('DROP FUNCTION usage_day_changed()');
    await runner.query('DROP TABLE usage_day_models, usage_day_keys, usage_days');
    await runner.query('DROP INDEX usage_daily_day');
    await replaceAuditIndexes(runner, {
      target: 'target_id, created_at',
      action: 'action, created_at',
      actor_type: 'actor_type, created_at',
    });
    await runner.query('ALTER TABLE usage_monthly DROP COLUMN estimated_tokens, DROP COLUMN errors');
  }
}

async function addClosedDays(runner: QueryRunner): Promise<void> {
  // A day that stands here is closed: its sums are below, complete. It opens by being deleted, and its sums go with it.
  await runner.query('CREATE TABLE usage_days (day date PRIMARY KEY)');
  await runner.query(`
    CREATE TABLE usage_day_keys (
      day date REFERENCES usage_days ON DELETE CASCADE, key_id uuid, ${SUMS}, PRIMARY KEY (day, key_id))`);
  await runner.query(`
    CREATE TABLE usage_day_models (
      day date REFERENCES usage_days ON DELETE CASCADE, model text, ${SUMS}, PRIMARY KEY (day, model))`);

  // Whatever changes a day's rows opens the day, also rows that come late, or from the release before, and their deletion for
  // age. Writers share the lock. Who closes the day takes it alone and then looks: he sees their rows, or they undo his work.
  await runner.query(`
    CREATE FUNCTION usage_day_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE one date;
    BEGIN
      FOR one IN SELECT DISTINCT day FROM changed ORDER BY day LOOP
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('usage-day:' || (one - date '1970-01-01'), 0));
        DELETE FROM usage_days WHERE day = one;
      END LOOP;
      RETURN NULL;
    END $$`);
  for (const [did, event, rows] of [
    ['inserted', 'INSERT', 'NEW'],
    ['updated', 'UPDATE', 'NEW'],
    ['deleted', 'DELETE', 'OLD'],
  ] as const)
    await runner.query(`
      CREATE TRIGGER usage_daily_${did} AFTER ${event} ON usage_daily REFERENCING ${rows} TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION usage_day_changed()`);
}

async function sumMonths(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TEMPORARY TABLE usage_month_sums ON COMMIT DROP AS
    SELECT key_id, (extract(year FROM day) * 12 + extract(month FROM day) - 1)::int AS month,
           sum(errors)::bigint AS errors, sum(estimated_tokens)::bigint AS estimated_tokens
      FROM usage_daily WHERE errors > 0 OR estimated_tokens > 0 GROUP BY 1, 2`);
  await runner.query('ANALYZE usage_month_sums');
}

async function replaceAuditIndexes(runner: QueryRunner, columnsOf: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, columns] of Object.entries(columnsOf)) {
    await runner.query(`DROP INDEX audit_logs_${name}`);
    await runner.query(`CREATE INDEX audit_logs_${name} ON audit_logs (${columns})`);
  }
}
