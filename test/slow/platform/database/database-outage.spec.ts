import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from '../../../../src/platform/database/database.service.js';
import { WatchConnection } from '../../../../src/platform/database/watch-connection.js';
import { isStorageOutage } from '../../../../src/platform/database/storage-outage.rules.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startDatabaseApp } from '../../../support/database-app.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { until } from '../../../support/until.js';

/** D22: an outage is detected within 5 s, and no statement waits longer than 2 s. The rest is tolerance for a busy machine. */

describe('database outages', () => {
  let scratch: ScratchDatabase;
  let proxy: FaultProxy;
  let app: INestApplicationContext;

  beforeEach(async () => {
    scratch = await createScratchDatabase();
    proxy = await FaultProxy.start(scratch.url);
    app = await startDatabaseApp(proxy.url);
  });

  afterEach(async () => {
    await app.close();
    await proxy.disconnect().catch(() => undefined);
    await scratch.drop();
  });

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (reason: unknown) => reason,
    );

  test('a crashed database is detected and used again after its recovery, without a restart', async () => {
    const database = app.get(Database);
    await database.whenReady();
    expect(database.state).toBe('ready');
    await proxy.disconnect();
    await until(() => database.state === 'away');
    await proxy.reconnect();
    await until(() => database.state === 'ready');
    expect(await app.get(DataSource).query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('statements fail within the timeout if the database hangs, and the database is detected and used again', async () => {
    const [database, source] = [app.get(Database), app.get(DataSource)];
    await database.whenReady();
    await source.query('select 1');
    proxy.hang();
    const [pooled, another] = await Promise.all([
      failureOf(source.query('select 1')),
      failureOf(source.query('select 2')),
    ]);
    expect(pooled).toBeInstanceOf(Error);
    expect(another).toBeInstanceOf(Error);
    await until(() => database.state === 'away');
    proxy.resume();
    await until(() => database.state === 'ready');
    expect(await source.query('select 3 as three')).toEqual([{ three: 3 }]);
  });

  test('onConnect callbacks can query the database immediately', async () => {
    const [database, source] = [app.get(Database), app.get(DataSource)];
    await database.whenReady();
    const result = Promise.withResolvers<unknown>();
    await proxy.disconnect();
    await until(() => database.state === 'away');
    app.get(WatchConnection).onConnect(async () => source.query('select 1 as one').then(result.resolve, result.reject));
    await proxy.reconnect();
    expect(await result.promise).toEqual([{ one: 1 }]);
  });

  test('a hanging transaction fails as a whole within the time limit of one statement', async () => {
    const source = app.get(DataSource);
    await app.get(Database).whenReady();
    const error = await failureOf(
      source.transaction(async (transaction) => {
        await transaction.query('select 1');
        proxy.hang();
        await transaction.query('select 2');
      }),
    );
    expect(error).toBeInstanceOf(Error);
  });

  test('a connection that was idle for longer than the limit is reused', async () => {
    const source = app.get(DataSource);
    await app.get(Database).whenReady();
    const pid = async () => (await source.query<[{ pid: number }]>('select pg_backend_pid() as pid'))[0].pid;
    const first = await pid();
    const idleSince = performance.now();
    await until(() => performance.now() - idleSince > 2300);
    expect(await pid()).toBe(first);
  });

  test('a connection that was idle for longer than the limit also fails within the timeout if it hangs', async () => {
    const source = app.get(DataSource);
    await app.get(Database).whenReady();
    await source.query('select 1');
    const idleSince = performance.now();
    await until(() => performance.now() - idleSince > 2300);
    proxy.hang();
    const error = await failureOf(source.query('select 2'));
    expect(error).toMatchObject({ message: expect.stringContaining('did not respond within') });
  });

  test('statements fail immediately once a hanging database is detected', async () => {
    const [database, source] = [app.get(Database), app.get(DataSource)];
    await database.whenReady();
    proxy.hang();
    await until(() => database.state === 'away');
    for (const work of [() => source.query('select 1'), () => source.transaction(() => Promise.resolve())]) {
      const error = await failureOf(work());
      expect(isStorageOutage(error)).toBe(true);
    }
  });

  describe('read-only sessions', () => {
    const WRITE = 'create table if not exists written (); drop table written';

    const pooledSessions = (count: number) =>
      Promise.all(Array.from({ length: count }, () => app.get(DataSource).query('select pg_sleep(0.2)')));

    test('a read-only database is detected, and its sessions are not reused once it is writable', async () => {
      const [database, source] = [app.get(Database), app.get(DataSource)];
      await database.whenReady();
      const admin = new Client({ connectionString: scratch.url, application_name: 'admin' });
      await admin.connect();
      const name = new URL(scratch.url).pathname.slice(1);
      await admin.query(`alter database "${name}" set default_transaction_read_only = on`);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await until(() => database.state === 'away');
      await pooledSessions(4);
      expect(await failureOf(source.query(WRITE))).toMatchObject({ code: '25006' });

      await admin.query(`alter database "${name}" reset default_transaction_read_only`);
      await until(() => database.state === 'ready');
      for (let nth = 0; nth < 4; nth++) await source.query(WRITE);
      await admin.end();
      // The watch connection must be a new, writable session as well.
      const watch = app.get(WatchConnection);
      await until(() => watch.connected);
      expect(await watch.query('show transaction_read_only')).toEqual([{ transaction_read_only: 'off' }]);
      expect(database.state).toBe('ready');
    });

    test('a read-only session is discarded after its first rejected write', async () => {
      const source = app.get(DataSource);
      await app.get(Database).whenReady();
      await source.query('set default_transaction_read_only = on');
      expect(await failureOf(source.query(WRITE))).toMatchObject({ code: '25006' });
      await source.query(WRITE);
    });
  });

  test('shutdown does not wait for a hanging database', async () => {
    await app.get(Database).whenReady();
    await app.get(DataSource).query('select 1');
    proxy.hang();
    await app.close();
  });
});
