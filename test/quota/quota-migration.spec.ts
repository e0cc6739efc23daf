import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { DataSource, type QueryRunner } from 'typeorm';
import { ApiKeys1790000001000 } from '../../migrations/1790000001000-api-keys.js';
import { Quota1790000002000 } from '../../migrations/1790000002000-quota.js';
import { createEmptyDatabase, type ScratchDatabase } from '../support/scratch-database.js';

describe('the quota migration', () => {
  let database: ScratchDatabase;
  let source: DataSource;
  let runner: QueryRunner;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    source = await new DataSource({
      type: 'postgres',
      url: database.url,
      migrations: [ApiKeys1790000001000],
    }).initialize();
    await source.runMigrations();
    runner = source.createQueryRunner();
  });
  afterAll(async () => {
    await runner.release();
    await source.destroy();
    await database.drop();
  });
  beforeEach(() => up());
  afterEach(async () => {
    await down();
    await source.query('truncate api_keys');
  });

  const migration = new Quota1790000002000();
  const up = () => migration.up(runner);
  const down = () => migration.down(runner);
  const addKey = async (): Promise<string> => {
    const rows = await source.query<{ id: string }[]>(
      `insert into api_keys (name, key_hash, key_hint) values ('a', $1, 'h') returning id`,
      [randomBytes(32)],
    );
    return rows[0]!.id;
  };
  const versionOf = async (id: string): Promise<number> => {
    const rows = await source.query<{ version: string }[]>('select version from key_quota where key_id = $1', [id]);
    return Number(rows[0]!.version);
  };

  test('existing keys get counters when the migration is applied again', async () => {
    await down();
    const id = await addKey();
    await up();
    expect(await versionOf(id)).toBeGreaterThan(1e15);
    expect(await source.query('select count(*)::int from key_quota')).toEqual([{ count: 1 }]);
  });

  test('counters are created and deleted with their key', async () => {
    const id = await addKey();
    expect(await versionOf(id)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    await source.query('delete from api_keys where id = $1', [id]);
    expect(await source.query('select * from key_quota')).toEqual([]);
  });

  test.each([
    'key_hash = key_hash',
    `name = 'b'`,
    `status = 'revoked'`,
    'rpm_limit = 1',
    'rpd_limit = 1',
    'monthly_limit = 1',
    'monthly_token_limit = 1',
    `allowed_models = '{m}'`,
    'expires_at = now()',
  ])('an update that sets %s raises the version', async (change) => {
    const id = await addKey();
    const before = await versionOf(id);
    await source.query(`update api_keys set ${change} where id = $1`, [id]);
    expect(await versionOf(id)).toBeGreaterThan(before);
  });

  test('an update of the last use does not change the version', async () => {
    const id = await addKey();
    const before = await versionOf(id);
    await source.query('update api_keys set last_used_at = now() where id = $1', [id]);
    expect(await versionOf(id)).toBe(before);
  });

  test('an update of a count is a HOT update, so no index is written', async () => {
    const id = await addKey();
    await source.query('update key_quota set minute_count = minute_count + 1 where key_id = $1', [id]);
    await source.query('select pg_stat_force_next_flush()');
    const rows = await source.query<object[]>(
      `select n_tup_upd::int as updates, n_tup_hot_upd::int as "inPlace" from pg_stat_user_tables where relname = 'key_quota'`,
    );
    expect(rows).toEqual([{ updates: 1, inPlace: 1 }]);
  });
});
