import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOTALS = 'requests, client_errors, server_errors, latency_sum, latency_max, input_tokens, output_tokens';

/** Costs in statistics. */
export class StatisticsCosts1790000022200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.lateCosts(runner);
    await this.rollups(runner);
    await this.splits(runner);
    // The foreign key refers to the primary key, which includes the sums of a ranking.
    await this.primaryKey(runner, `${TOTALS}, cost_nanos, unpriced`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.primaryKey(runner, TOTALS);
    await runner.query('drop index stats_rollup_splits_without_costs');
    await runner.query('alter table stats_rollup_splits drop column costs, drop column unpriced');
    await runner.query('drop index stats_rollup_without_costs');
    await runner.query('alter table stats_rollup drop column cost_nanos, drop column unpriced');
    await runner.query('drop trigger request_logs_priced on request_logs');
    await runner.query('drop function request_logs_priced()');
    await runner.query('alter table stats_late_hours drop column cost_only');
  }

  /** Hours whose costs have changed get new rollups too, but statistics read their rollups until then. */
  private async lateCosts(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stats_late_hours add column cost_only boolean not null default false');
    await runner.query(`
      create function request_logs_priced() returns trigger language plpgsql as $$
      begin
        insert into stats_late_hours (hour, cost_only)
        select distinct date_trunc('hour', created_at, 'UTC'), true from updated
         where created_at < (select closed_until from stats_rollup_state);
        return null;
      end $$`);
    await runner.query(`
      create trigger request_logs_priced after update on request_logs
        referencing new table as updated for each statement execute function request_logs_priced()`);
  }

  /**
   * Rollups from before costs were recorded count all requests as unpriced, which -1 stands for. The previous release writes null, so
   * that these rollups are found and created again.
   */
  private async rollups(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table stats_rollup add column cost_nanos bigint default 0, add column unpriced integer default -1`);
    await runner.query('alter table stats_rollup alter cost_nanos drop default, alter unpriced drop default');
    await runner.query('create index stats_rollup_without_costs on stats_rollup (start) where cost_nanos is null');
    // Costs are recorded since this day.
    await runner.query(`
      insert into stats_late_hours (hour, cost_only)
      select hour, true
        from stats_rollup_state,
             generate_series(
               (select coalesce((select until from cost_backfill), min(day)) from cost_daily)::timestamp at time zone 'UTC',
               rolled_until - interval '1 hour', interval '1 hour') hour
       where hour >= rolled_from`);
  }

  /** Parallel to `parts`, whose type the previous release uses. Splits that it writes have null, and are deleted and created again. */
  private async splits(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table stats_rollup_splits add column costs bigint[] default '{}', add column unpriced integer[] default '{}'`);
    await runner.query('alter table stats_rollup_splits alter costs drop default, alter unpriced drop default');
    await runner.query(`
      create index stats_rollup_splits_without_costs on stats_rollup_splits (start) where costs is null`);
  }

  private async primaryKey(runner: QueryRunner, included: string): Promise<void> {
    const referring = 'stats_rollup_splits_start_hours_dimension_value_fkey';
    await runner.query(`alter table stats_rollup_splits drop constraint ${referring}`);
    await runner.query(`
      alter table stats_rollup
        drop constraint stats_rollup_pkey,
        add constraint stats_rollup_pkey primary key (start, hours, dimension, value) include (${included})`);
    await runner.query(`
      alter table stats_rollup_splits add constraint ${referring}
        foreign key (start, hours, dimension, value)
          references stats_rollup (start, hours, dimension, value) on delete cascade`);
  }
}
