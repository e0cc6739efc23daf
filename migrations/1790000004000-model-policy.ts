import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ModelPolicy1790000004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_policies (
        model text PRIMARY KEY CONSTRAINT model_policies_model CHECK (char_length(model) BETWEEN 1 AND 200),
        enabled boolean NOT NULL,
        note text,
        updated_at timestamp(3) with time zone NOT NULL,
        updated_by text NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE model_catalog (
        id smallint PRIMARY KEY DEFAULT 1 CONSTRAINT model_catalog_one_row CHECK (id = 1),
        body jsonb NOT NULL,
        fetched_at timestamp(3) with time zone NOT NULL
      )`);
    await runner.query(`
      CREATE FUNCTION notify_model_policy() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gw_policy', CASE TG_OP WHEN 'DELETE' THEN OLD.model ELSE NEW.model END);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER model_policies_notify AFTER INSERT OR UPDATE OR DELETE ON model_policies
        FOR EACH ROW EXECUTE FUNCTION notify_model_policy()`);
    await runner.query(`
      CREATE FUNCTION notify_model_catalog() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gw_catalog', '1');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER model_catalog_notify AFTER INSERT OR UPDATE ON model_catalog
        FOR EACH ROW EXECUTE FUNCTION notify_model_catalog()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE model_catalog');
    await runner.query('DROP TABLE model_policies');
    await runner.query('DROP FUNCTION notify_model_catalog()');
    await runner.query('DROP FUNCTION notify_model_policy()');
  }
}
