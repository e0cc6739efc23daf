import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Amounts of up to a billion dollars, and no empty list of models, which would match no model. Amounts in requests and tokens stay below
 * 2^53. `limit_alert_at` keeps its name, because the release before calls it too.
 */
export class LimitAmounts1790000023200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ALERT_AT);
    await runner.query(`
      alter table limit_grants
        drop constraint limit_grants_amount, add constraint limit_grants_amount check (amount between 1 and 1000000000000000000)`);
    // Existing rows are not checked. Only SQL can have created an empty list.
    await runner.query(`
      alter table limits
        drop constraint limits_amount, drop constraint limits_carry_over,
        add constraint limits_amount check (amount between 0 and case measure when 'cost' then 1000000000000000000 else 9007199254740991 end),
        add constraint limits_carry_over check (carry_over between 1 and case measure when 'cost' then 1000000000000000000 else 9007199254740991 end),
        add constraint limits_models check (cardinality(models) > 0) not valid`);
  }

  /** Fails while there is a larger amount, because the release before cannot show it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table limits
        drop constraint limits_amount, drop constraint limits_carry_over, drop constraint limits_models,
        add constraint limits_amount check (amount between 0 and 9007199254740991),
        add constraint limits_carry_over check (carry_over between 1 and 9007199254740991)`);
    await runner.query(`
      alter table limit_grants
        drop constraint limit_grants_amount, add constraint limit_grants_amount check (amount between 1 and 9007199254740991)`);
  }
}

/** The lowest figure above `used` at which a threshold is reached. Usage is at most 2^62, so it never reaches a higher figure. */
const ALERT_AT = `
  create or replace function limit_alert_at(thresholds smallint[], amount bigint, used bigint) returns bigint language sql immutable as $$
    select min(greatest(1, ceil(amount::numeric * t / 100)))::bigint from unnest(thresholds) as t
     where greatest(1, ceil(amount::numeric * t / 100)) > used and ceil(amount::numeric * t / 100) <= 4611686018427387904
  $$`;
