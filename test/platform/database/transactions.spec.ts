import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../../src/platform/database/database.service.js';
import { isStorageOutage } from '../../../src/platform/database/storage-outage.rules.js';
import { OutcomeUnknown, Transactions } from '../../../src/platform/database/transactions.js';
import { startDatabaseApp } from '../../support/database-app.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';

let scratch: ScratchDatabase;
let app: INestApplicationContext;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  app = await startDatabaseApp(scratch.url);
  await app.get(Database).whenReady();
  await app.get(DataSource).query(`
    create table changes (at_commit text);
    create function run_at_commit() returns trigger language plpgsql as
      'begin execute new.at_commit; return null; end';
    create constraint trigger at_commit after insert on changes deferrable initially deferred
      for each row execute function run_at_commit()`);
});
afterAll(async () => {
  await app.close();
  await scratch.drop();
});

const CLOSE = 'select pg_terminate_backend(pg_backend_pid())';

/** Runs the statement during the commit. */
const failureAtCommit = (statement: string): Promise<unknown> =>
  app
    .get(Transactions)
    .run((transaction) => transaction.query('insert into changes values ($1)', [statement]))
    .then(
      () => null,
      (error: unknown) => error,
    );

describe('the outcome of a transaction', () => {
  test('is unknown if the connection is lost during the commit', async () => {
    const error = await failureAtCommit(CLOSE);
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(isStorageOutage(error)).toBe(true);
  });

  test('is known if the connection is lost before the commit', async () => {
    const error = await app
      .get(Transactions)
      .run((transaction) => transaction.query(CLOSE))
      .catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(OutcomeUnknown);
    expect(isStorageOutage(error)).toBe(true);
  });

  test('is known if the database rejects the commit', async () => {
    const error = await failureAtCommit('select 1 / 0');
    expect(error).toMatchObject({ code: '22012' });
  });

  test('is known if the commit succeeds', async () => {
    expect(await failureAtCommit('select 1')).toBeNull();
  });
});
