import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ensureMonthPartitions } from '../../src/platform/database/month-partitions.js';
import { RETENTION } from '../../src/scheduler/retention.data.js';
import type { PruningBounds } from '../../src/scheduler/pruning-and-vacuum.tasks.js';
import { until } from '../support/until.js';
import { SchedulerDatabase } from './scheduler-database.js';

const KEY = '0f2a7c1e-5b1d-4f6a-8c3e-9d0b1a2c3d4e';
/** 365 days after noon of 2047-03-16, because 2048-02-29 is between the two. */
const NOON = '2048-03-15T12:00:00.000Z';

let db: SchedulerDatabase;
let bounds: PruningBounds;
beforeAll(async () => {
  db = await SchedulerDatabase.create();
  ({ bounds } = db.pruning);
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.put(NOON);
  bound(bounds);
  const tables = [...RETENTION.map(({ table }) => table), 'operators'];
  for (const table of tables) await db.query(`delete from ${table}`);
  for (const table of ['request_logs', 'audit_logs']) {
    await db.tables.dropPartitions(table, await db.tables.partitions(table), new AbortController().signal);
  }
});

const bound = (given: PruningBounds) => void Object.assign(db.pruning, { bounds: given });
const months = (table: string, from: string, count: number) =>
  ensureMonthPartitions((sql) => db.query(sql), table, new Date(from), count);
const prune = () => db.carryOut(db.pruning);
const ages = async (table: string, column: string) =>
  (await db.query<{ age: string }>(`select ${column}::text as age from ${table} order by ${column}`)).map(
    ({ age }) => age,
  );

const request = (at: string) =>
  db.query(
    `insert into request_logs (id, created_at, key_id, status, stream, latency_ms, input_tokens, output_tokens, method, endpoint)
     values (gen_random_uuid(), $1, $2, 200, false, 1, 1, 1, 'POST', '/v1/chat/completions')`,
    [at, KEY],
  );
const audit = (at: string) =>
  db.query(
    `insert into audit_logs (created_at, action, actor_type, target_type, metadata) values ($1, 'a', 'system', 't', '{}')`,
    [at],
  );

describe.each([
  ['request_logs', request],
  ['audit_logs', audit],
])('retention of %s', (table, insert) => {
  beforeEach(async () => {
    await months(table, '2047-01-01', 4);
    await months(table, NOON, 1);
    const moments = ['2047-01-31T23:59:59.999Z', '2047-02-28T12:00:00Z', '2047-03-01T00:00:00Z'];
    for (const at of [...moments, '2047-03-16T11:59:59.999Z', '2047-03-16T12:00:00Z', '2048-03-01']) await insert(at);
  });

  test(`past months of ${table} are dropped as partitions, and other old rows are deleted`, async () => {
    expect(await prune()).toMatchObject({ [`${table}_months_dropped`]: 2, [`${table}_deleted`]: 2 });
    expect(await ages(table, 'created_at')).toEqual(['2047-03-16 12:00:00+00', '2048-03-01 00:00:00+00']);
    const names = (await db.tables.partitions(table)).map(({ name }) => name.slice(table.length));
    expect(names.slice(0, 3)).toEqual(expect.arrayContaining(['_2047_03', '_2047_04']));
    expect(names).not.toContain('_2047_02');
    expect(await prune()).toEqual({});
    expect((await ages(table, 'created_at')).length).toBe(2);
  });

  test(`a long-running reader of ${table} postpones the drop without blocking writers`, async () => {
    const reader = new Client({ connectionString: db.url });
    await reader.connect();
    await reader.query(`begin; select * from ${table}`);
    const months = (await db.tables.partitions(table)).slice(0, 2);
    const dropping = db.tables.dropPartitions(table, months, new AbortController().signal, 300);
    await insert('2048-03-02');
    expect(await dropping).toBe(0);
    await reader.query('commit');
    await reader.end();
    expect(await prune()).toMatchObject({ [`${table}_months_dropped`]: 2 });
  });
});

test('an aborted run stops waiting for readers of a partition', async () => {
  await months('audit_logs', '2047-01-01', 1);
  const reader = new Client({ connectionString: db.url });
  await reader.connect();
  await reader.query('begin; select * from audit_logs');
  const stopping = new AbortController();
  const pruning = db.carryOut(db.pruning, stopping.signal);
  await until(
    async () =>
      (
        await db.query(
          `select 1 from pg_stat_activity where application_name = 'gateway-partitions' and wait_event_type = 'Lock'`,
        )
      ).length > 0,
  );
  stopping.abort(new Error('stop'));
  await expect(pruning).rejects.toThrow('stop');
  await reader.end();
});

describe('retention of usage', () => {
  test('daily usage and its sums are deleted after exactly 365 days', async () => {
    for (const day of ['2047-03-14', '2047-03-15', '2047-03-16', '2048-03-15']) {
      await db.query(`insert into usage_daily (key_id, day, model) values ($1, $2, 'm')`, [KEY, day]);
      await db.query('insert into usage_days (day) values ($1)', [day]);
      await db.query('insert into usage_day_keys values ($1, $2, 1, 1, 1, 1, 1)', [day, KEY]);
      await db.query(`insert into usage_day_models values ($1, 'm', 1, 1, 1, 1, 1)`, [day]);
    }
    expect(await prune()).toMatchObject({ usage_daily_deleted: 2, usage_days_deleted: 2 });
    for (const table of ['usage_daily', 'usage_days', 'usage_day_keys', 'usage_day_models']) {
      expect(await ages(table, 'day')).toEqual(['2047-03-16', '2048-03-15']);
    }
  });

  test('monthly usage is kept for 720 days, so 24 months can always be listed', async () => {
    const month = (year: number, number: number) => year * 12 + number - 1;
    for (let number = 1; number <= 12; number++) {
      for (const year of [2045, 2046, 2047, 2048]) {
        await db.query('insert into usage_monthly (key_id, month) values ($1, $2)', [KEY, month(year, number)]);
      }
    }
    for (const [now, first] of [
      ['2047-12-20T23:59:59.999Z', month(2045, 12)],
      ['2047-12-21T00:00:00Z', month(2045, 12)],
      ['2047-12-22T00:00:00Z', month(2046, 1)],
      ['2048-02-29T12:00:00Z', month(2046, 3)],
      ['2048-03-31T12:00:00Z', month(2046, 4)],
    ] as const) {
      await db.put(now);
      await prune();
      expect([now, Number((await ages('usage_monthly', 'month'))[0])]).toEqual([now, first]);
      const shown = new Date(now);
      expect(first).toBeLessThanOrEqual(month(shown.getUTCFullYear(), shown.getUTCMonth() + 1) - 23);
    }
  });
});

test('a rollup is deleted when its whole period is older than 365 days', async () => {
  const block = (start: string, hours: number) =>
    db.query(
      `insert into stats_rollup (start, hours, dimension, value, latency_sum, input_tokens, output_tokens, requests, client_errors, server_errors, latency_max, buckets, counts)
       values ($1, $2, 'key', 'v', 1, 1, 1, 1, 0, 0, 1, '{1}', '{1}')`,
      [start, hours],
    );
  await block('2047-03-05T12:00:00Z', 256);
  await block('2047-03-05T11:59:59Z', 256);
  await block('2047-03-06T00:00:00Z', 1);
  await block('2048-03-06T00:00:00Z', 1);
  expect(await prune()).toMatchObject({ stats_rollup_deleted: 1 });
  expect(await ages('stats_rollup', 'start')).toEqual([
    '2047-03-05 12:00:00+00',
    '2047-03-06 00:00:00+00',
    '2048-03-06 00:00:00+00',
  ]);
});

const ID = 'gen_random_uuid()';
test.each([
  ['events', 365, 'created_at', `insert into events values (${ID}, 'key_revoked', $1, '{}')`],
  ['notifications', 365, 'created_at', `insert into notifications values (${ID}, 'key_expired', $1, '{}')`],
  ['event_once', 400, 'created_at', `insert into event_once values ('key_quota_warning', ${ID}, '2047-01', ${ID}, $1)`],
  [
    'webhook_deliveries',
    30,
    'created_at',
    `with e as (insert into events values (${ID}, 'key_revoked', '2099-01-01', '{}') returning id)
     insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, created_at) select ${ID}, ${ID}, id, 'failed', false, $1 from e`,
  ],
  [
    'job_runs',
    365,
    'started_at',
    `insert into job_runs (run_id, job, started_at, outcome) values (${ID}, 'daily', $1, 'failed')`,
  ],
  ['password_guesses', 1, 'guessed_at', `insert into password_guesses values (${ID}, 's', $1)`],
  ['quota_writer', 7, 'at', `insert into quota_writer (writer_id, batch, at) values (${ID}, 1, $1)`],
] as const)('rows of %s are kept for %i days, to the millisecond', async (table, days, column, insert) => {
  const cutMs = Date.parse(NOON) - days * 86_400_000;
  for (const ms of [cutMs - 1, cutMs]) await db.query(insert, [new Date(ms).toISOString()]);
  expect(await prune()).toMatchObject({ [`${table}_deleted`]: 1 });
  const [kept, ...more] = await db.query<{ at: Date }>(`select ${column} as at from ${table}`);
  expect([kept?.at.getTime(), more]).toEqual([cutMs, []]);
});

test('the row of a dead process is kept while its reservations count', async () => {
  const insert = `insert into quota_writer (writer_id, batch, at, beat_at, expired_at) values (${ID}, 1, $1, $1, $2)`;
  for (const expired of [null, '2040-01-01']) await db.query(insert, ['2040-01-01', expired]);
  expect(await prune()).toMatchObject({ quota_writer_deleted: 1 });
  expect(await db.query('select expired_at from quota_writer')).toEqual([{ expired_at: null }]);
});

test('sessions are deleted one day after they expire', async () => {
  await db.query(`insert into operators (id, email, email_key, name, role, disabled, password_hash, created_at)
    values ('${KEY}', 'a@b.test', 'a@b.test', 'A', 'viewer', false, 'x', now())`);
  for (const expires of ['2048-03-14T11:59:59.999Z', '2048-03-14T12:00:00Z', '2048-03-20']) {
    await db.query(
      `insert into operator_sessions (id, operator_id, token_hash, created_at, last_seen_at, expires_at)
       values (${ID}, '${KEY}', decode(md5($1), 'hex'), now(), now(), $1::timestamptz)`,
      [expires],
    );
  }
  expect(await prune()).toMatchObject({ operator_sessions_deleted: 1 });
});

test('marks of sent key_expired events and running job runs are never deleted', async () => {
  await db.query(`insert into event_once values ('key_expired', ${ID}, '2020-01-01', ${ID}, '2020-01-01')`);
  await db.query(
    `insert into job_runs (run_id, job, started_at, outcome) values (${ID}, 'daily', '2020-01-01', 'running')`,
  );
  await prune();
  expect(await ages('event_once', 'period')).toEqual(['2020-01-01']);
  expect((await db.runRows()).length).toBe(1);
});

test('owners of objects that expire are deleted after 90 days without use, and other owners are kept', async () => {
  const owners = [
    ['kept', true, '2047-12-16T12:00:00Z'],
    ['lasting', false, '2020-01-01'],
    ['old', true, '2047-12-16T11:59:59.999Z'],
  ] as const;
  for (const [id, expires, usedAt] of owners)
    await db.query(`insert into upstream_objects values ($1, 'openai', $2, $3)`, [id, expires, usedAt]);
  await prune();
  expect(await ages('upstream_objects', 'id')).toEqual(['kept', 'lasting']);
});

test('deleting events and notifications also deletes their deliveries and read marks', async () => {
  await db.query(`insert into events values ('${KEY}', 'key_revoked', '2020-01-01', '{}')`);
  await db.query(`insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, created_at)
    values (${ID}, ${ID}, '${KEY}', 'failed', false, '2048-03-15')`);
  await db.query(`insert into notifications values ('${KEY}', 'key_expired', '2020-01-01', '{}')`);
  await db.query(`insert into notification_reads values ('admin_key', '${KEY}', now())`);
  await prune();
  for (const table of ['webhook_deliveries', 'notification_reads'])
    expect(await db.query(`select 1 from ${table}`)).toEqual([]);
});

test('rows beyond the limits of a run are counted and deleted later, oldest first', async () => {
  await db.query(
    `insert into usage_monthly (key_id, month) select gen_random_uuid(), 24000 + n from generate_series(1, 25) n`,
  );
  bound({ rowsPerStep: 5, stepsMax: 3, msMax: 60_000 });
  expect(await prune()).toMatchObject({ usage_monthly_deleted: 15, usage_monthly_left: 10 });
  expect(Number((await ages('usage_monthly', 'month'))[0])).toBe(24_016);
  bound({ rowsPerStep: 5, stepsMax: 100, msMax: 0 });
  expect(await prune()).toMatchObject({ usage_monthly_left: 10 });
  bound({ rowsPerStep: 5, stepsMax: 3, msMax: 60_000 });
  const last = await prune();
  expect(last).toMatchObject({ usage_monthly_deleted: 10 });
  expect(last).not.toHaveProperty('usage_monthly_left');
});

test('many rows are deleted in batches, and a failing table does not block the others', async () => {
  await db.query(
    `insert into usage_monthly (key_id, month) select gen_random_uuid(), 24000 from generate_series(1, 12000)`,
  );
  await db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'not this table'; end $$`,
  );
  await db.query('create trigger refuse before delete on usage_daily for each row execute function refuse()');
  await db.query(`insert into usage_daily (key_id, day, model) values ($1, '2020-01-01', 'm')`, [KEY]);
  await expect(prune()).rejects.toThrow('usage_daily: not this table');
  await db.query('drop function refuse cascade');
  expect(await ages('usage_monthly', 'month')).toEqual([]);
});

test('old rows are found by an index, without a sort', async () => {
  const plans: string[] = [];
  for (const [table, column, value] of [
    ['usage_daily', 'day', '2020-01-01'],
    ['usage_monthly', 'month', '100'],
    ['stats_rollup', 'start', '2020-01-01'],
    ['webhook_deliveries', 'created_at', '2020-01-01'],
    ['events', 'created_at', '2020-01-01'],
    ['notifications', 'created_at', '2020-01-01'],
  ]) {
    const lines = await db.transactions.run(async (transaction) => {
      await transaction.query(
        'set local enable_seqscan = off; set local enable_sort = off; set local enable_bitmapscan = off',
      );
      return transaction.query<Record<string, string>[]>(
        `explain select ctid from ${table} where ${column} < '${value}' order by ${column} limit 5000`,
      );
    });
    plans.push(
      `${table}: ${lines.some((line) => /Index (Only )?Scan/.test(line['QUERY PLAN']!)) && !lines.some((line) => /Sort/.test(line['QUERY PLAN']!))}`,
    );
  }
  expect(plans.filter((plan) => plan.endsWith('false'))).toEqual([]);
});
