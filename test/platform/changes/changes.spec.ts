import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Changes, type ChangeTopic } from '../../../src/platform/changes/changes.js';
import { CachedTable } from '../../../src/platform/changes/cached-table.js';
import type { CachedRows } from '../../../src/platform/changes/change-polls.js';
import { PolicyStore, type CurrentPolicy } from '../../../src/model-policy/stores/policy.store.js';
import { Database } from '../../../src/platform/database/database.service.js';
import { startDatabaseApp } from '../../support/database-app.js';
import { until } from '../../support/until.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

class Policies extends CachedTable<CurrentPolicy> {}

/** D3: within one second of the change. The rest is tolerance for a busy machine. */
const WRITE_CATALOG = `insert into model_catalog (body, fetched_at) values ('{}', now())
  on conflict (id) do update set fetched_at = excluded.fetched_at`;

describe('changes', () => {
  let scratch: ScratchDatabase;
  let app: INestApplicationContext;
  let admin: DataSource;
  let keyId: string;
  let policies: Policies;
  /** Rows that the next reads return, as if the pool was connected to another server. */
  let otherServer: CachedRows<CurrentPolicy> | null = null;
  let reported: [ChangeTopic, string | null][] = [];

  const wasReported = (topic: ChangeTopic, id: string | null) =>
    reported.some((entry) => entry[0] === topic && entry[1] === id);
  const insertKey = async (name: string) => {
    const sql = `insert into api_keys (name, key_hash, key_hint) values ($1, decode(md5(random()::text), 'hex'), 'x') returning id`;
    return (await admin.query<[{ id: string }]>(sql, [name]))[0].id;
  };
  /** Runs a statement without its NOTIFY triggers, like a connection pooler that loses notifications. */
  const withoutNotify = async (sql: string, parameters: unknown[] = []) => {
    await admin.query('set session_replication_role = replica');
    await admin.query(sql, parameters);
    await admin.query('set session_replication_role = origin');
  };
  /** Raises the version of the key above all others, without NOTIFY. */
  const raiseVersion = (by = 1) => {
    const sql = 'update key_quota set version = (select max(version) from key_quota) + $2 where key_id = $1';
    return withoutNotify(sql, [keyId, by]);
  };

  const pollsAgain = async () => {
    reported = [];
    await raiseVersion();
    await until(() => wasReported('key', keyId) || wasReported('key', null));
  };

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    admin = new DataSource({ type: 'postgres', url: scratch.url, poolSize: 1 });
    await admin.initialize();
    app = await startDatabaseApp(scratch.url);
    for (const topic of ['key', 'tables', 'catalog'] as const) {
      app.get(Changes).subscribe(topic, (id) => reported.push([topic, id]));
    }
    await app.get(Database).whenReady();
    const store = new PolicyStore(admin);
    policies = new Policies(app.get(Changes), {
      name: 'policies',
      table: 'model_policies',
      load: async () => otherServer ?? (await store.all()),
      same: (a, b) => a.enabled === b.enabled,
    });
    policies.onApplicationBootstrap();
    keyId = await insertKey('first');
    await until(() => wasReported('key', keyId));
    await pollsAgain();
  });

  afterAll(async () => {
    policies.onModuleDestroy();
    await app.close();
    await admin.destroy();
    await scratch.drop();
  });

  beforeEach(() => {
    reported = [];
  });

  test('a key change is reported with the key ID', async () => {
    await admin.query('update api_keys set rpm_limit = 7 where id = $1', [keyId]);
    await until(() => wasReported('key', keyId));
  });

  test('changes to the model policy and the model catalog are reported', async () => {
    await admin.query(`insert into model_policies values ('some/model', false, null, now(), 'test')`);
    await admin.query(WRITE_CATALOG);
    await until(() => wasReported('tables', 'some/model') && reported.some(([topic]) => topic === 'catalog'));
  });

  test('after a lost connection, every topic is reported as changed without an ID', async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'gateway-watch'`;
    await admin.query(`${cut}; update api_keys set rpm_limit = 8`);
    await until(() => (['key', 'tables', 'catalog'] as const).every((topic) => wasReported(topic, null)));
    reported = [];
    await admin.query('update api_keys set rpm_limit = 9 where id = $1', [keyId]);
    await until(() => wasReported('key', keyId));
  });

  test('the poll finds a key change whose NOTIFY was lost', async () => {
    await raiseVersion();
    await until(() => wasReported('key', keyId));
  });

  test('the poll finds a key change that commits after a change with a later version', async () => {
    const second = await insertKey('second');
    await until(() => wasReported('key', second));
    await raiseVersion(2_000_000);
    await until(() => wasReported('key', keyId));
    reported = [];
    const earlier = `(select max(version) - 1000000 from key_quota)`;
    await withoutNotify(`update key_quota set version = ${earlier} where key_id = $1`, [second]);
    await until(() => wasReported('key', second));
  });

  test('the poll finds changes and deletions of policies whose NOTIFY was lost', async () => {
    await withoutNotify(
      `insert into model_policies values ('a', false, null, now(), 'test'), ('b', true, null, now(), 'test')`,
    );
    await until(() => policies.of('a')?.enabled === false);
    await withoutNotify(`update model_policies set enabled = true where model = 'a'`);
    await until(() => policies.of('a')?.enabled === true);
    await withoutNotify(`delete from model_policies where model = 'a'`);
    await until(() => policies.known && policies.of('a') === undefined);
  });

  test('rows that were read from another server are replaced', async () => {
    await withoutNotify(`insert into model_policies values ('c', false, null, now(), 'test')`);
    await until(() => policies.of('c')?.enabled === false);
    otherServer = { fingerprint: '1:other', rows: new Map([['c', { enabled: true, updatedAt: new Date() }]]) };
    await policies.refresh();
    expect(policies.of('c')?.enabled).toBe(true);
    otherServer = null;
    await until(() => policies.of('c')?.enabled === false);
  });

  test('the poll finds a catalog change whose NOTIFY was lost', async () => {
    await withoutNotify(WRITE_CATALOG);
    await until(() => wasReported('catalog', null));
  });

  test('simultaneous changes to thousands of keys are reported without an ID', async () => {
    await admin.query(`insert into api_keys (name, key_hash, key_hint)
      select 'many', decode(md5('many' || n), 'hex'), 'x' from generate_series(1, 2500) n`);
    const [last] = await admin.query<[{ id: string }]>(
      `select id from api_keys where key_hash = decode(md5('many2500'), 'hex')`,
    );
    await until(() => wasReported('key', last.id));
    await pollsAgain();
    await withoutNotify(`update key_quota set version = version + 10000000`);
    reported = [];
    await until(() => wasReported('key', null));
    expect(reported.filter(([, id]) => id !== null)).toEqual([]);
  });
});
