import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys, their owners, and their limits. Only the hash of the raw key is stored (D24). */
export class ApiKeys1790000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_keys (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name character varying(255) NOT NULL,
        key_hash bytea NOT NULL,
        key_hint text NOT NULL,
        status text NOT NULL DEFAULT 'active' CONSTRAINT api_keys_status CHECK (status IN ('active', 'suspended', 'revoked')),
        rpm_limit integer NOT NULL DEFAULT 60,
        rpd_limit integer NOT NULL DEFAULT 10000,
        monthly_limit integer,
        monthly_token_limit bigint,
        allowed_models text[],
        expires_at timestamp(3) with time zone,
        created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
        revoked_at timestamp(3) with time zone,
        last_used_at timestamp(3) with time zone,
        search text NOT NULL
      )`);
    // A trigger instead of a generated column, for which TypeORM's schema comparison needs an additional metadata table.
    await runner.query(`
      CREATE FUNCTION api_key_search() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.search := lower(NEW.name) || E'\\n' || NEW.id::text;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER api_key_search BEFORE INSERT OR UPDATE OF name ON api_keys
        FOR EACH ROW EXECUTE FUNCTION api_key_search()`);
    await runner.query('CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash)');
    await runner.query('CREATE INDEX api_keys_created_at ON api_keys (created_at, id)');
    await runner.query('CREATE INDEX api_keys_updated_at ON api_keys (updated_at, id)');
    await runner.query('CREATE INDEX api_keys_name ON api_keys (name, id)');
    await runner.query('CREATE INDEX api_keys_last_used_at ON api_keys (last_used_at DESC NULLS LAST, id DESC)');
    await runner.query('CREATE INDEX api_keys_status ON api_keys (status)');
    await runner.query('CREATE INDEX api_keys_expires_at ON api_keys (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys');
    await runner.query('DROP FUNCTION api_key_search');
  }
}
