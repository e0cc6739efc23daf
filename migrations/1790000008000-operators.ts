import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Operators1790000008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operators (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        email text NOT NULL,
        email_key text NOT NULL,
        name text NOT NULL,
        role text NOT NULL CONSTRAINT operators_role CHECK (role IN ('viewer', 'admin', 'owner')),
        disabled boolean NOT NULL DEFAULT false,
        password_hash text NOT NULL,
        last_login_at timestamp(3) with time zone,
        created_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamp(3) with time zone NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE UNIQUE INDEX operators_email_key ON operators (email_key)');
    await runner.query('CREATE INDEX operators_created_at ON operators (created_at, id)');
    await runner.query(`
      CREATE TABLE operator_sessions (
        id uuid PRIMARY KEY,
        operator_id uuid NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
        token_hash bytea NOT NULL,
        created_at timestamp(3) with time zone NOT NULL,
        last_seen_at timestamp(3) with time zone NOT NULL,
        expires_at timestamp(3) with time zone NOT NULL,
        ip text,
        user_agent text
      )`);
    await runner.query('CREATE UNIQUE INDEX operator_sessions_token_hash ON operator_sessions (token_hash)');
    await runner.query('CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id, created_at, id)');
    await runner.query('CREATE INDEX operator_sessions_created_at ON operator_sessions (created_at, id)');
    await runner.query('CREATE INDEX operator_sessions_expires_at ON operator_sessions (expires_at)');
    await runner.query(`
      CREATE TABLE password_guesses (
        guess_id uuid NOT NULL,
        subject text NOT NULL,
        guessed_at timestamp(3) with time zone NOT NULL,
        PRIMARY KEY (guess_id, subject)
      )`);
    await runner.query('CREATE INDEX password_guesses_subject ON password_guesses (subject, guessed_at)');
    await runner.query('CREATE INDEX password_guesses_guessed_at ON password_guesses (guessed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE password_guesses');
    await runner.query('DROP TABLE operator_sessions');
    await runner.query('DROP TABLE operators');
  }
}
