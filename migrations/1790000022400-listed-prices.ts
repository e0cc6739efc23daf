import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The published prices of every release that has run on this database. Rows are only added, so releases can run side by side. */
export class ListedPrices1790000022400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A release can add prices to a version of the list. Then the version has several editions.
    await runner.query(`
      create table price_lists (
        edition text not null,
        version text not null,
        published_on date not null,
        recorded_at timestamptz(3) not null default clock_timestamp(),
        constraint price_lists_pkey primary key (edition)
      )`);
    await runner.query(`
      create table listed_prices (
        version text not null,
        provider text not null,
        model text not null,
        terms jsonb not null,
        hash text not null generated always as (md5(terms::text)) stored,
        recorded_at timestamptz(3) not null default clock_timestamp(),
        constraint listed_prices_pkey primary key (version, provider, model, hash)
      )`);
    await runner.query(`
      create function listed_price_kept() returns trigger language plpgsql as $$
      begin
        raise exception 'Published prices are never changed or deleted.';
      end $$`);
    for (const table of ['price_lists', 'listed_prices'])
      await runner.query(`
        create trigger ${table}_kept before update or delete on ${table}
          for each statement execute function listed_price_kept()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['listed_prices', 'price_lists']) await runner.query(`drop table ${table}`);
    await runner.query('drop function listed_price_kept()');
  }
}
