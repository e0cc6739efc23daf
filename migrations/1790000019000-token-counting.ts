import type { MigrationInterface, QueryRunner } from 'typeorm';

const VERSIONED = `key_hash, name, status, rpm_limit, rpd_limit, monthly_limit, monthly_token_limit, allowed_models, expires_at`;

/** Keys whose token limit counts all kinds of tokens, and the tokens that only these keys count. */
export class TokenCounting1790000019000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys add column token_counting text not null default 'specification',
        add constraint api_keys_token_counting check (token_counting in ('specification', 'all'))`);
    // Tokens that providers report in addition to input and output. Months before this migration have 0.
    await runner.query('alter table usage_monthly add column additional_tokens bigint not null default 0');
    await replaceTrigger(runner, `${VERSIONED}, token_counting`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceTrigger(runner, VERSIONED);
    await runner.query('alter table usage_monthly drop column additional_tokens');
    await runner.query('alter table api_keys drop column token_counting');
  }
}

/** Raises the version of a key when one of `columns` is written. */
async function replaceTrigger(runner: QueryRunner, columns: string): Promise<void> {
  await runner.query('drop trigger key_changed on api_keys');
  await runner.query(`
    create trigger key_changed after update of ${columns} on api_keys for each row execute function key_version()`);
}
