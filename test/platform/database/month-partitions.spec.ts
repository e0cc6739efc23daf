import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import {
  dropMonthPartition,
  ensureMonthPartitions,
  monthPartitionsOf,
  type MonthPartition,
} from '../../../src/platform/database/month-partitions.js';
import { createEmptyDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { until } from '../../support/until.js';

const TABLE = 'log_rows';

let scratch: ScratchDatabase;
let clients: Client[];
let db: Client;
beforeEach(async () => {
  scratch = await createEmptyDatabase();
  clients = [];
  db = await connect();
  await db.query(`create table ${TABLE} (created_at timestamptz not null, n int) partition by range (created_at)`);
  await db.query(`create index on ${TABLE} (created_at)`);
  await ensureMonthPartitions(run(db), TABLE, new Date('2027-12-31T23:59:59.999Z'), 3);
  await insert(db, '2027-12-31T23:59:59.999999Z', 1);
  await insert(db, '2028-01-01', 2);
  await insert(db, '2028-02-29', 3);
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await scratch.drop();
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: scratch.url });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}

const run =
  (client: Client) =>
  async (sql: string): Promise<unknown> =>
    (await client.query(sql)).rows;
const insert = (client: Client, at: string, n: number) => client.query(`insert into ${TABLE} values ($1, $2)`, [at, n]);
const list = () => monthPartitionsOf(run(db), TABLE);
const states = async () => (await list()).map(({ name, state }) => `${name} ${state}`);
const numbers = async () => (await db.query<{ n: number }>(`select n from ${TABLE} order by n`)).rows.map(({ n }) => n);
const tables = async () =>
  (
    await db.query<{ relname: string }>(
      `select relname from pg_class where relname like '${TABLE}_20%' and relkind = 'r'`,
    )
  ).rows.length;
const waiting = async () =>
  (await db.query(`select 1 from pg_stat_activity where query like 'alter table%' and wait_event_type = 'Lock'`))
    .rowCount === 1;
const drop = (client: Client, month: MonthPartition) => dropMonthPartition(run(client), TABLE, month);

test('partitions are listed with their bounds, oldest first', async () => {
  expect(await list()).toEqual([
    {
      name: 'log_rows_2027_12',
      state: 'attached',
      from: new Date('2027-12-01T00:00:00Z'),
      until: new Date('2028-01-01T00:00:00Z'),
    },
    {
      name: 'log_rows_2028_01',
      state: 'attached',
      from: new Date('2028-01-01T00:00:00Z'),
      until: new Date('2028-02-01T00:00:00Z'),
    },
    {
      name: 'log_rows_2028_02',
      state: 'attached',
      from: new Date('2028-02-01T00:00:00Z'),
      until: new Date('2028-03-01T00:00:00Z'),
    },
  ]);
});

describe('dropMonthPartition', () => {
  test('dropping a month removes only its rows and its table', async () => {
    await drop(db, (await list())[0]!);
    expect(await numbers()).toEqual([2, 3]);
    expect(await tables()).toBe(2);
  });

  test('a drop waits for readers without blocking other readers and writers', async () => {
    const [month] = await list();
    const reader = await connect();
    await reader.query(`begin; select * from ${TABLE}`);
    const dropper = await connect();
    const dropping = drop(dropper, month!);
    await until(waiting);
    await db.query(`set statement_timeout = '1s'`);
    await insert(db, '2028-01-02', 4);
    expect(await numbers()).toEqual([2, 3, 4]);
    await ensureMonthPartitions(run(db), TABLE, new Date('2028-03-01'), 1);
    await insert(db, '2028-03-01', 5);
    await reader.query('commit');
    await dropping;
    expect(await states()).toEqual([
      'log_rows_2028_01 attached',
      'log_rows_2028_02 attached',
      'log_rows_2028_03 attached',
    ]);
    expect(await tables()).toBe(3);
  });

  test('the next call completes a drop that timed out', async () => {
    const [month] = await list();
    const reader = await connect();
    await reader.query(`begin; select * from ${TABLE}`);
    const dropper = await connect();
    await dropper.query(`set statement_timeout = '200ms'`);
    await expect(drop(dropper, month!)).rejects.toMatchObject({ code: '57014' });
    expect(await states()).toContain('log_rows_2027_12 detaching');
    expect(await numbers()).toEqual([2, 3]);
    await reader.query('commit');
    await drop(dropper, (await list())[0]!);
    expect(await states()).toEqual(['log_rows_2028_01 attached', 'log_rows_2028_02 attached']);
    expect(await tables()).toBe(2);
  });

  test('a month that was detached but not dropped is found and dropped', async () => {
    const [month] = await list();
    const failing = (sql: string) => (sql.startsWith('drop') ? Promise.reject(new Error('died')) : run(db)(sql));
    await expect(dropMonthPartition(failing, TABLE, month!)).rejects.toThrow('died');
    expect(await states()).toContain('log_rows_2027_12 detached');
    await drop(db, (await list())[0]!);
    expect(await tables()).toBe(2);
  });
});

test('manually detached partitions and tables with other names are not listed', async () => {
  await db.query(`alter table ${TABLE} detach partition log_rows_2027_12`);
  await db.query(
    'create table log_rows_2020_13 (n int); create table log_rows_old (n int); create table log_rows_2020_01 (n int)',
  );
  expect(await states()).toEqual(['log_rows_2028_01 attached', 'log_rows_2028_02 attached']);
});

test('an invalid table name is rejected', async () => {
  await expect(monthPartitionsOf(run(db), 'a; drop table b')).rejects.toThrow('invalid table name');
  const month = { ...(await list())[0]!, name: 'x; drop table log_rows; --_2027_12' };
  await expect(drop(db, month)).rejects.toThrow('invalid table name');
});
