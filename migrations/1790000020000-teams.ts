import type { MigrationInterface, QueryRunner } from 'typeorm';

const VERSIONED = `key_hash, name, status, rpm_limit, rpd_limit, monthly_limit, monthly_token_limit, allowed_models, expires_at, token_counting`;

/** Teams, and the team and the tags of a key. */
export class Teams1790000020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table teams (
        id uuid not null default gen_random_uuid(),
        name text not null,
        tags text[] not null default '{}',
        created_at timestamptz(3) not null default clock_timestamp(),
        updated_at timestamptz(3) not null default clock_timestamp(),
        constraint teams_pkey primary key (id)
      )`);
    await runner.query('create unique index teams_name on teams (lower(name))');
    await runner.query(`
      alter table api_keys
        add column team_id uuid constraint api_keys_team references teams on delete restrict,
        add column tags text[] not null default '{}'`);
    await runner.query('create index api_keys_team_id on api_keys (team_id) where team_id is not null');
    await runner.query(`create index api_keys_tags on api_keys using gin (tags) where tags <> '{}'`);
    await replaceTrigger(runner, `${VERSIONED}, team_id, tags`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceTrigger(runner, VERSIONED);
    await runner.query('alter table api_keys drop column team_id, drop column tags');
    await runner.query('drop table teams');
  }
}

/** Raises the version of a key when one of `columns` is written. */
async function replaceTrigger(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('drop trigger key_changed on api_keys');
  await runner.query(`
    create trigger key_changed after update of ${columns} on api_keys for each row execute function key_version()`);
}
