import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProbeVerdicts1790000006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_probes (
        model text PRIMARY KEY CONSTRAINT model_probes_model CHECK (char_length(model) BETWEEN 1 AND 200),
        verdict text NOT NULL CONSTRAINT model_probes_verdict CHECK (verdict IN ('callable', 'listed_unavailable')),
        probed_at timestamp(3) with time zone NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE model_probe_runs (
        id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT model_probe_runs_one_row CHECK (id = 1),
        due_at timestamp(3) with time zone NOT NULL
      )`);
    // One notification per statement, without an ID, because a run writes all models at once.
    await runner.query(`
      CREATE FUNCTION notify_model_probes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gw_policy', '');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER model_probes_notify AFTER INSERT OR UPDATE OR DELETE ON model_probes
        FOR EACH STATEMENT EXECUTE FUNCTION notify_model_probes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_probe_runs');
    await runner.query('DROP TABLE model_probes');
    await runner.query('DROP FUNCTION notify_model_probes()');
  }
}
