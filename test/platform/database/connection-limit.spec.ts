import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database } from '../../../src/platform/database/database.service.js';
import { DedicatedConnection } from '../../../src/platform/database/dedicated-connection.js';
import { isStorageOutage } from '../../../src/platform/database/storage-outage.rules.js';
import { startDatabaseApp } from '../../support/database-app.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { until } from '../../support/until.js';

const CONNECTIONS = 4;
const role = `gw_test_${randomBytes(6).toString('hex')}`;

describe('a role that is not a superuser', () => {
  let scratch: ScratchDatabase;
  let admin: Client;
  let app: INestApplicationContext;
  let url: string;

  beforeEach(async () => {
    scratch = await createScratchDatabase();
    admin = new Client({ connectionString: scratch.url });
    await admin.connect();
    await admin.query(`create role ${role} login password 'first' connection limit ${CONNECTIONS};
      grant all on schema public to ${role};
      grant all on all tables in schema public to ${role};
      grant all on all sequences in schema public to ${role}`);
    const changed = new URL(scratch.url);
    changed.username = role;
    changed.password = 'first';
    url = changed.href;
    app = await startDatabaseApp(url, { GW_DATABASE_POOL: '8' });
    await app.get(Database).whenReady();
  });

  afterEach(async () => {
    await app.close();
    await admin.query(`drop owned by ${role}; drop role ${role}`);
    await admin.end();
    await scratch.drop();
  });

  const query = () => app.get(DataSource).query('select pg_sleep(0.05)');
  const connected = async () => {
    const { rows } = await admin.query<{ count: number }>(
      'select count(*)::int as count from pg_stat_activity where usename = $1',
      [role],
    );
    return rows[0]!.count;
  };

  test('admission gets a connection although the pool has used all that the role may have', async () => {
    let busy = true;
    const load = Array.from({ length: 2 * CONNECTIONS }, async () => {
      while (busy) await query().catch(() => undefined);
    });
    await until(async () => (await connected()) === CONNECTIONS);
    const connection = new DedicatedConnection(url, { name: 'gateway admission', session: {} });
    connection.start();
    try {
      await until(() => connection.client !== null);
    } finally {
      busy = false;
      await Promise.all(load);
      await connection.stop();
    }
  });

  test('a user that the server no longer accepts is an outage, and reads recover when it is accepted again', async () => {
    await admin.query(`alter role ${role} nologin`);
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await until(async () => {
      const error = await app
        .get(DataSource)
        .query('select 1')
        .then(
          () => null,
          (reason: unknown) => reason,
        );
      return error !== null && isStorageOutage(error) && app.get(Database).state === 'away';
    });
    await admin.query(`alter role ${role} login`);
    await until(() => app.get(Database).state === 'ready');
    expect(await app.get(DataSource).query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
