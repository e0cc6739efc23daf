import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../../migrations/all.js';
import { Database } from '../../../../src/platform/database/database.service.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startDatabaseApp } from '../../../support/database-app.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { until } from '../../../support/until.js';

const applied = (source: DataSource) => source.query<{ name: string }[]>('select name from migrations order by id');
const names = MIGRATIONS.map(({ name }) => ({ name }));

describe('database startup', () => {
  let empty: ScratchDatabase;
  let proxy: FaultProxy;
  const apps: INestApplicationContext[] = [];
  const start = async (env: Record<string, string> = {}) => {
    const app = await startDatabaseApp(proxy.url, env);
    apps.push(app);
    return app;
  };

  beforeEach(async () => {
    empty = await createEmptyDatabase();
    proxy = await FaultProxy.start(empty.url);
  });

  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
    await proxy.disconnect().catch(() => undefined);
    await empty.drop();
  });

  test('a gateway that starts without a database waits for it and then migrates', async () => {
    await proxy.disconnect();
    const app = await start();
    const database = app.get(Database);
    expect(database.state).toBe('connecting');
    await expect(app.get(DataSource).query('select 1')).rejects.toThrow();
    await proxy.reconnect();
    await until(() => database.state === 'ready');
    await database.whenReady();
    expect(await applied(app.get(DataSource))).toEqual(names);
  });

  test('processes that start together run each migration once', async () => {
    const started = await Promise.all([start(), start(), start()]);
    await Promise.all(started.map((app) => app.get(Database).whenReady()));
    expect(await applied(started[0].get(DataSource))).toEqual(names);
  });

  test('a process waits while another one migrates', async () => {
    const other = new DataSource({ type: 'postgres', url: empty.url, poolSize: 1 });
    await other.initialize();
    const lock = `hashtextextended('gateway-migrations', 0)`;
    await other.query(`select pg_advisory_lock(${lock})`);
    const app = await start();
    const refused = `select from pg_stat_activity where datname = current_database()
      and application_name = 'gateway-migrations' and query like 'select pg_try_advisory_lock%' and state = 'idle'`;
    await until(async () => (await other.query<unknown[]>(refused)).length === 1);
    expect(await other.query(`select to_regclass('api_keys') as there`)).toEqual([{ there: null }]);
    await other.query(`select pg_advisory_unlock(${lock})`);
    await app.get(Database).whenReady();
    await other.destroy();
  });

  test('a process with GW_MIGRATE=off waits until another one has migrated', async () => {
    const waiting = (await start({ GW_MIGRATE: 'off' })).get(Database);
    const migrating = (await start()).get(Database);
    expect(waiting.state).toBe('connecting');
    await migrating.whenReady();
    await until(() => waiting.state === 'ready');
  });

  test('a process with GW_MIGRATE=off does not change a database without migrations', async () => {
    const app = await start({ GW_MIGRATE: 'off' });
    const other = new DataSource({ type: 'postgres', url: empty.url });
    await other.initialize();
    // This statement shows that the process has checked the migrations at least once.
    const looked = `select count(*)::int as looked from pg_stat_activity
      where datname = current_database() and application_name = 'gateway-watch' and query like '%to_regclass%'`;
    await until(async () => (await other.query<[{ looked: number }]>(looked))[0].looked > 0);
    expect(app.get(Database).state).toBe('connecting');
    expect(await other.query(`select to_regclass('migrations') as there`)).toEqual([{ there: null }]);
    await other.destroy();
  });
});
