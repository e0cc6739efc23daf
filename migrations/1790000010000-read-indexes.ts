import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOCK_USAGE = 'LOCK TABLE usage_monthly, usage_daily IN SHARE ROW EXCLUSIVE MODE';

const SUMS = `
  requests bigint NOT NULL, errors bigint NOT NULL,
  input_tokens bigint NOT NULL, output_tokens bigint NOT NULL, estimated_tokens bigint NOT NULL`;

/**
 * Speeds up reads of usage and of the audit log (D17).
 *
 * - Closed days are summed by key and by model.
 * - Months store errors and estimates, because they are kept longer than days.
 * - The audit indexes contain the order and the other filters of a list.
 *
 * While the migration runs, usage waits in memory. Admin changes wait for the audit indexes. Admission waits only for the last step.
 */
export class ReadIndexes1790000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Locks in the same order as recording. Reads continue.
    await runner.query(LOCK_USAGE);
    await runner.query('CREATE INDEX usage_daily_day ON usage_daily (day)');
    await addClosedDays(runner);
    await sumMonths(runner);
    await replaceAuditIndexes(runner, {
      target: 'target_id, created_at, id) INCLUDE (action, actor_type',
      action: 'action, created_at, id) INCLUDE (actor_type',
      actor_type: 'actor_type, created_at, id',
    });
    // Last, because it blocks admission, which reads this table. The previous release never writes the two columns.
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
  // A row means that the day is closed and its sums are complete. Deleting the row reopens the day and deletes its sums.
  await runner.query('CREATE TABLE usage_days (day date PRIMARY KEY)');
  await runner.query(`
    CREATE TABLE usage_day_keys (
      day date REFERENCES usage_days ON DELETE CASCADE, key_id uuid, ${SUMS}, PRIMARY KEY (day, key_id))`);
  await runner.query(`
    CREATE TABLE usage_day_models (
      day date REFERENCES usage_days ON DELETE CASCADE, model text, ${SUMS}, PRIMARY KEY (day, model))`);

  // Every change to a day's rows reopens the day, including late rows, rows of the previous release, and deletion by age. Writers
  // share the lock. Closing a day takes it exclusively and then reads: it sees their rows, or they reopen the day afterwards.
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
